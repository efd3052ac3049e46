import type { JsonValue } from '@agent-service/sdk'

/**
 * A deep copy of JSON. `structuredClone` takes ten times as long, because it supports more than
 * JSON.
 */
export function cloneJson<Value extends JsonValue>(value: Value): Value
export function cloneJson(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: JsonValue) => cloneJson(item))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cloneJson(member)]))
}
