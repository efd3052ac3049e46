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

/** TypeBox's `Object`, closed (`additionalProperties: false`) unless the options say otherwise. */
function closedObject<Properties extends TProperties>(properties: Properties, options: TObjectOptions = {}): TObject<Properties> {
  return TypeBox.Object(properties, { additionalProperties: false, ...options })
}

/**
 * The functions of TypeBox whose schemas survive `JSON.parse(JSON.stringify(schema))`. Programs
 * that never load the plugin read the schemas of manifests, tools and routes as plain JSON, so
 * `Type` offers nothing else, and the build refuses other schemas with the path of what it found.
 *
 * `Object` is closed (`additionalProperties: false`) unless its options say otherwise: an unknown
 * member is usually a mistake, and the author should hear of it.
 *
 * @example
 * const parameters = Type.Object({
 *   city: Type.String({ minLength: 1, description: 'The name of the city.' }),
 *   days: Type.Optional(Type.Integer({ minimum: 1, maximum: 14 })),
 * })
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
  Array: TypeBox.Array,
  Boolean: TypeBox.Boolean,
  Integer: TypeBox.Integer,
  Literal: TypeBox.Literal,
  Null: TypeBox.Null,
  Number: TypeBox.Number,
  Object: closedObject,
  Optional: TypeBox.Optional,
  Record: TypeBox.Record,
  String: TypeBox.String,
  Union: TypeBox.Union,
  Unknown: TypeBox.Unknown,
})
