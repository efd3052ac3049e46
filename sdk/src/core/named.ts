import type { TObject, TObjectOptions, TProperties, TSchema } from 'typebox'
import { Type } from './type.js'

/** The keyword of {@link named}. It is data and survives JSON. */
export const schemaNameKeyword = 'x-name'

/** What a name is made of: words in PascalCase. */
export const schemaNamePattern = /^[A-Z][A-Za-z0-9]{0,99}$/

/**
 * The same schema under a name in the OpenAPI description, where it stands once, among
 * `components.schemas`, and every use of it is a reference. Generated clients have a type of this
 * name. A third party's name gets its plugin's id as a prefix: `Roll` of `tool-dice` becomes
 * `ToolDiceRoll`.
 *
 * A name means one schema: a route whose schema differs from one that is already served under its
 * name is refused with an error that names both owners. The kernel passes over names when it
 * validates.
 *
 * @example
 * const roll = named('Roll', Type.Object({ sides: Type.Integer({ minimum: 2, examples: [6] }), eyes: Type.Integer({ examples: [4] }) }))
 * @throws TypeError for a name that is not in PascalCase.
 */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  if (!schemaNamePattern.test(name)) throw new TypeError(`“${name}” is not the name of a schema; write it in PascalCase, such as DiceRoll.`)
  // TypeBox keeps marks that JSON leaves out as hidden properties, which a spread would lose.
  const descriptors = Object.getOwnPropertyDescriptors(schema)
  return Object.defineProperties({}, { ...descriptors, [schemaNameKeyword]: { value: name, enumerable: true } }) as Schema
}

/** The name that a schema was given with {@link named}, without the prefix of a third party. */
export function nameOfSchema(schema: TSchema): string | undefined {
  const name: unknown = Object.hasOwn(schema, schemaNameKeyword)
    ? (schema as Readonly<Record<string, unknown>>)[schemaNameKeyword]
    : undefined
  return typeof name === 'string' ? name : undefined
}

/**
 * {@link named} for an object: `Type.Object` with a name.
 *
 * @example
 * const roll = namedObject('Roll', { sides: Type.Integer({ examples: [6] }), eyes: Type.Integer({ examples: [4] }) })
 */
export function namedObject<Properties extends TProperties>(
  name: string,
  properties: Properties,
  options?: TObjectOptions,
): TObject<Properties> {
  return named(name, Type.Object(properties, options))
}
