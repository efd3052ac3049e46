import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { isObject, listAt, objectAt, textAt } from '@agent-service/sdk/provider-kit'

/** Members that the subset shares with JSON Schema. */
const sameMembers = [
  'title',
  'description',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'pattern',
  'default',
  'propertyOrdering',
] as const
const formats: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time', 'enum'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
}
/** The maximum depth of references; a recursive schema ends as an object without members. */
const depthLimit = 12

/**
 * A JSON Schema in the subset of OpenAPI 3.0 that older endpoints know: types in capitals,
 * `nullable`, `enum` of texts, `anyOf`. References are put in their places. What the subset cannot
 * say is left out: a schema there guides the model, and arguments are checked again by the host.
 */
export const toOpenApiSchema = (schema: JsonObject): JsonObject => convert(schema, { root: schema, depth: 0 })

interface Place {
  readonly root: JsonObject
  readonly depth: number
}

function convert(given: JsonObject, place: Place): JsonObject {
  if (place.depth > depthLimit) return { type: 'OBJECT' }
  const inner = { root: place.root, depth: place.depth + 1 }
  const schema = merged(given, place)
  const choices = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')].filter(isObject)
  const types = typesOf(schema)
  const plain = types.filter((type) => type !== 'null')
  const open = choices.filter((choice) => choice['type'] !== 'null')
  const nullable = plain.length < types.length || open.length < choices.length || schema['nullable'] === true
  const several = open.length > 0 ? open : plain.length > 1 ? plain.map((type) => ({ ...schema, type })) : []
  const rest: JsonObject = { ...membersOf(schema), ...(nullable && { nullable: true }) }
  if (several.length === 1 && several[0]) return { ...convert(several[0], inner), ...rest }
  if (several.length > 1) return { ...rest, anyOf: several.map((choice) => convert(choice, inner)) }
  const type = plain[0] ?? 'string'
  return { type: type.toUpperCase(), ...rest, ...ofType(type, schema, inner) }
}

const membersOf = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    sameMembers.flatMap((name): readonly (readonly [string, JsonValue])[] => (schema[name] === undefined ? [] : [[name, schema[name]]])),
  )

/** Merges a schema with its reference and its `allOf`. */
function merged(schema: JsonObject, place: Place): JsonObject {
  const reference = textAt(schema, '$ref')
  const target = reference === undefined ? undefined : targetOf(reference, place.root)
  const all = listAt(schema, 'allOf').filter(isObject)
  if (!target && all.length === 0) return schema
  const { $ref: _reference, allOf: _all, ...own } = schema
  let sum: JsonObject = own
  for (const part of [...(target ? [target] : []), ...all]) {
    const more = place.depth > depthLimit ? part : merged(part, { ...place, depth: place.depth + 1 })
    const properties = { ...objectAt(more, 'properties'), ...objectAt(sum, 'properties') }
    const required = [...new Set([...listAt(more, 'required'), ...listAt(sum, 'required')])]
    const both = { ...(Object.keys(properties).length > 0 && { properties }), ...(required.length > 0 && { required }) }
    sum = Object.assign({}, more, sum, both) as JsonObject
  }
  return sum
}

function targetOf(reference: string, root: JsonObject): JsonObject | undefined {
  if (!reference.startsWith('#')) return undefined
  let found: JsonValue | undefined = root
  for (const name of reference.split('/').slice(1))
    found = isObject(found) ? found[decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
  return isObject(found) ? found : undefined
}

/** The types of a schema, or those that follow from its members; empty for any type. */
function typesOf(schema: JsonObject): readonly string[] {
  const type = schema['type']
  if (typeof type === 'string') return [type.toLowerCase()]
  if (Array.isArray(type)) return type.filter((entry): entry is string => typeof entry === 'string').map((entry) => entry.toLowerCase())
  if (schema['properties'] !== undefined) return ['object']
  if (schema['items'] !== undefined) return ['array']
  const value = schema['const'] ?? listAt(schema, 'enum')[0]
  return typeof value === 'number' ? [Number.isInteger(value) ? 'integer' : 'number'] : typeof value === 'boolean' ? ['boolean'] : []
}

function ofType(type: string, schema: JsonObject, place: Place): JsonObject {
  const format = textAt(schema, 'format')
  const known = format !== undefined && formats[type]?.includes(format) ? { format } : {}
  if (type === 'string') {
    const values = schema['const'] === undefined ? listAt(schema, 'enum') : [schema['const']]
    const texts = values.filter((value) => typeof value === 'string')
    return { ...known, ...(texts.length > 0 && { enum: texts }) }
  }
  if (type === 'array') return { items: convert(objectAt(schema, 'items') ?? { type: 'string' }, place) }
  if (type !== 'object') return known
  const properties = objectAt(schema, 'properties') ?? {}
  const required = listAt(schema, 'required').filter((name) => typeof name === 'string' && Object.hasOwn(properties, name))
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, convert(isObject(member) ? member : {}, place)]),
    ),
    ...(schema['required'] !== undefined && { required }),
  }
}
