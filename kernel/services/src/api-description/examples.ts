import { isJsonObject } from '@agent-service/kernel-core/http/schemas'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { referredName } from './schema-json.js'

/** `request`: optional members only where the author gave examples. `answer`: all members. */
export type ExampleKind = 'request' | 'answer'

const exampleId = '01975f3e-8c00-7a3b-9d21-4f6e5b7c8d90'
const exampleTime = '2026-03-01T09:30:00.000Z'

/**
 * A value that fits a schema of the document: the first of its `examples`, or made from those of
 * its members. `resolve` gives the schema that a reference means.
 */
export function exampleOf(schema: JsonObject, kind: ExampleKind, resolve: (schema: JsonObject) => JsonObject): JsonValue {
  return sampleOf(schema, { kind, resolve, above: [], name: '' }) ?? null
}

interface Place {
  readonly kind: ExampleKind
  readonly resolve: (schema: JsonObject) => JsonObject
  /** The references on the way here. */
  readonly above: readonly string[]
  /** Of the member. */
  readonly name: string
}

/** Undefined where a value would contain itself. */
function sampleOf(schema: JsonObject, place: Place): JsonValue | undefined {
  const reference = referredName(schema)
  if (reference !== undefined) {
    if (place.above.includes(reference)) return undefined
    return sampleOf(place.resolve(schema), { ...place, above: [...place.above, reference] })
  }
  const { examples, const: constant, enum: choices, default: standard, anyOf, oneOf } = schema
  if (Array.isArray(examples) && examples.length > 0) return examples[0] ?? null
  if (constant !== undefined) return constant
  if (Array.isArray(choices)) return choices[0] ?? null
  if (standard !== undefined) return standard
  const branches = Array.isArray(oneOf) ? oneOf : anyOf
  if (Array.isArray(branches)) {
    for (const branch of branches.filter(isJsonObject)) {
      const value = sampleOf(branch, place)
      if (value !== undefined) return value
    }
    return undefined
  }
  return ofType(schema, place)
}

function ofType(schema: JsonObject, place: Place): JsonValue | undefined {
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  switch (type) {
    case 'object':
      return objectOf(schema, place)
    case 'array':
      return listOf(schema, place)
    case 'string':
      return textOf(schema, place.name)
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number'
        ? schema['minimum']
        : typeof schema['maximum'] === 'number'
          ? Math.min(1, schema['maximum'])
          : 1
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return {}
  }
}

function objectOf({ properties, required }: JsonObject, place: Place): JsonValue | undefined {
  const names = Array.isArray(required) ? required : []
  const members = isJsonObject(properties) ? Object.entries(properties) : []
  const asked = members.filter(([name, member]) => place.kind === 'answer' || names.includes(name) || hasExample(member, place))
  const shown = asked.length > 0 ? asked : members.slice(0, 1)
  const values: (readonly [string, JsonValue])[] = []
  for (const [name, member] of shown) {
    const value = isJsonObject(member) ? sampleOf(member, { ...place, name }) : null
    if (value !== undefined) values.push([name, value])
    else if (names.includes(name)) return undefined
  }
  return Object.fromEntries(values)
}

function hasExample(schema: JsonValue, { resolve }: Place): boolean {
  if (!isJsonObject(schema)) return false
  return schema['examples'] !== undefined || resolve(schema)['examples'] !== undefined
}

function listOf({ items, minItems = 0 }: JsonObject, place: Place): JsonValue | undefined {
  const item = isJsonObject(items) ? sampleOf(items, place) : undefined
  if (item !== undefined) return [item]
  return minItems === 0 ? [] : undefined
}

function textOf({ minLength = 0, maxLength }: JsonObject, name: string): string {
  if (/(^|_)(at|until|since|from|to)$/.test(name)) return exampleTime
  if (/(^|_)id$/.test(name)) return exampleId
  const text = 'text'.padEnd(typeof minLength === 'number' ? minLength : 0, 'x')
  return typeof maxLength === 'number' ? text.slice(0, maxLength) : text
}
