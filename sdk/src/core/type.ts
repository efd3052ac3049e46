import type { TObject, TObjectOptions, TProperties } from 'typebox'
import * as TypeBox from 'typebox'

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
export const Type = Object.freeze({
  Array: TypeBox.Array,
  Boolean: TypeBox.Boolean,
  Integer: TypeBox.Integer,
  Literal: TypeBox.Literal,
  Null: TypeBox.Null,
  Number: TypeBox.Number,
  Object: <Properties extends TProperties>(properties: Properties, options: TObjectOptions = {}): TObject<Properties> =>
    TypeBox.Object(properties, { additionalProperties: false, ...options }),
  Optional: TypeBox.Optional,
  Record: TypeBox.Record,
  String: TypeBox.String,
  Union: TypeBox.Union,
  Unknown: TypeBox.Unknown,
})
