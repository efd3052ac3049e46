import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { isObject } from '@agent-service/sdk/provider-kit'

/**
 * A schema without empty texts among the values of `enum`, which the vendor refuses with the whole
 * request (“enum[0]: cannot be empty”). A model that means none of the values leaves the member out.
 */
export const withoutEmptyValues = (schema: JsonObject): JsonObject => cleaned(schema) as JsonObject

function cleaned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(cleaned)
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, member]): readonly (readonly [string, JsonValue])[] => {
    if (member === undefined) return []
    if (name !== 'enum' || !Array.isArray(member)) return [[name, cleaned(member)]]
    const values = (member as readonly JsonValue[]).filter((each) => each !== '')
    return values.length > 0 ? [[name, values]] : []
  })
  return Object.fromEntries(entries)
}
