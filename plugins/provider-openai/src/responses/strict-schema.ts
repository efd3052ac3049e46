import type { JsonValue } from '@agent-service/sdk'
import { isObject, listAt, objectAt } from '@agent-service/sdk/provider-kit'

const keywords: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf', '$ref', '$defs', 'description', 'title'],
])

/**
 * True for a schema that the vendor can enforce: only keywords that it knows, and every object is
 * closed and requires all of its members. One that is no such schema would be refused if it were
 * called strict.
 */
export function isStrictSchema(schema: JsonValue | undefined): boolean {
  if (!isObject(schema) || !Object.keys(schema).every((keyword) => keywords.has(keyword))) return false
  const properties = objectAt(schema, 'properties')
  const type = schema['type']
  const isObjectType = properties !== undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
  if (isObjectType) {
    const required = listAt(schema, 'required')
    if (schema['additionalProperties'] !== false) return false
    if (!Object.keys(properties ?? {}).every((name) => required.includes(name))) return false
  }
  const inner = [...Object.values(properties ?? {}), ...Object.values(objectAt(schema, '$defs') ?? {}), ...listAt(schema, 'anyOf')]
  const items = schema['items']
  return [...inner, ...(items === undefined ? [] : [items])].every(isStrictSchema)
}
