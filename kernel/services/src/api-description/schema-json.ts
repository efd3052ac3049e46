import { isJsonObject } from '@agent-service/kernel-core/http/schemas'
import type { JsonObject, JsonValue } from '@agent-service/sdk'

/** What `Type.Record(Type.String(), …)` has as the pattern of all names. */
const anyName = '^.*$'

/** Where the named schemas of the document are. */
export const schemaReference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** The name in a reference; undefined for any other schema. */
export function referredName(schema: JsonObject): string | undefined {
  const reference = schema['$ref']
  return typeof reference === 'string' ? reference.slice('#/components/schemas/'.length) : undefined
}

/**
 * A schema in the words that generators of clients know: a map with any names is
 * `additionalProperties`, a choice among constants an `enum`, a primitive that may be null has two
 * types, and an open object does not say that it is open, which is the default: the types of its
 * members would be lost otherwise. Each means the same as what it replaces.
 */
export function inPlainWords(schema: JsonObject): JsonObject {
  return withoutConstants(withNull(withoutOpenness(withOpenNames(schema))))
}

function withoutOpenness(schema: JsonObject): JsonObject {
  const { additionalProperties, ...rest } = schema
  const { properties } = rest
  return additionalProperties === true && isJsonObject(properties) && Object.keys(properties).length > 0 ? rest : schema
}

function withOpenNames(schema: JsonObject): JsonObject {
  const { patternProperties, ...rest } = schema
  if (!isJsonObject(patternProperties) || rest['additionalProperties'] !== undefined) return schema
  const names = Object.keys(patternProperties)
  return names.length === 1 && names[0] === anyName ? { ...rest, additionalProperties: patternProperties[anyName] ?? {} } : schema
}

/** `anyOf` of constants of one type, and perhaps null. */
function withoutConstants(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const constants = anyOf.filter((branch) => isJsonObject(branch) && branch['const'] !== undefined) as readonly JsonObject[]
  const types = new Set(constants.map(({ type }) => type))
  const [type] = types
  const others = anyOf.length - constants.length
  const hasNull = anyOf.some((branch) => isJsonObject(branch) && branch['type'] === 'null')
  if (constants.length < 2 || types.size !== 1 || typeof type !== 'string' || others !== (hasNull ? 1 : 0)) return schema
  const values = constants.map((branch) => branch['const'] ?? null)
  return { ...rest, type: hasNull ? [type, 'null'] : type, enum: hasNull ? [...values, null] : values }
}

const primitives: ReadonlySet<JsonValue | undefined> = new Set(['string', 'number', 'integer', 'boolean'])

/** `anyOf` of one primitive and null. */
function withNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const nothing = anyOf.find((branch) => isJsonObject(branch) && branch['type'] === 'null' && Object.keys(branch).length === 1)
  const primitive = anyOf.find((branch) => branch !== nothing)
  if (nothing === undefined || !isJsonObject(primitive) || !primitives.has(primitive['type'])) return schema
  const { type, const: constant, enum: values, ...own } = primitive
  const choices = Array.isArray(values) ? values : constant === undefined ? undefined : [constant]
  return { ...own, ...rest, type: [type ?? null, 'null'], ...(choices && { enum: [...choices, null] }) }
}

/**
 * The member by whose constant the branches of a choice among objects differ: `type` of the parts
 * of a message. Undefined if there is none.
 */
export function discriminatorOf(branches: readonly JsonObject[]): string | undefined {
  const [first] = branches
  const candidates = isJsonObject(first?.['properties']) ? Object.keys(first['properties']) : []
  return candidates.find((name) => {
    const values = branches.map((branch) => constantOf(branch, name))
    return values.every((value) => value !== undefined) && new Set(values).size === values.length
  })
}

/** The text that a required member of an object always has. */
export function constantOf({ properties, required }: JsonObject, name: string): string | undefined {
  const member = isJsonObject(properties) ? properties[name] : undefined
  const value = isJsonObject(member) ? member['const'] : undefined
  return typeof value === 'string' && Array.isArray(required) && required.includes(name) ? value : undefined
}
