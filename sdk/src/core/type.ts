import type * as TypeBox from 'typebox'
import type { TObject, TObjectOptions, TProperties } from 'typebox'
import { builders } from './schema-builders.js'

export type {
  Static,
  TArray,
  TBoolean,
  TInteger,
  TLiteral,
  TNull,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TRecord,
  TSchema,
  TString,
  TUnion,
  TUnknown,
} from 'typebox'

/**
 * The part of TypeBox that survives `JSON.parse(JSON.stringify(schema))`. Schemas of manifests, tools and routes are read as plain JSON by
 * programs that never load the plugin, so nothing else is offered here, and the build step refuses what slips by.
 *
 * `Object` is closed (`additionalProperties: false`) unless told otherwise: an unknown member is a mistake worth hearing of.
 */
export const Type: Readonly<{
  Array: typeof TypeBox.Array
  Boolean: typeof TypeBox.Boolean
  Integer: typeof TypeBox.Integer
  Literal: typeof TypeBox.Literal
  Null: typeof TypeBox.Null
  Number: typeof TypeBox.Number
  Object: <Properties extends TProperties>(properties: Properties, options?: TObjectOptions) => TObject<Properties>
  Optional: typeof TypeBox.Optional
  Record: typeof TypeBox.Record
  String: typeof TypeBox.String
  Union: typeof TypeBox.Union
  Unknown: typeof TypeBox.Unknown
}> = Object.freeze({
  ...builders,
  Object: <Properties extends TProperties>(properties: Properties, options: TObjectOptions = {}): TObject<Properties> =>
    builders.Object(properties, { additionalProperties: false, ...options }),
})
