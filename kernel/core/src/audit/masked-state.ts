import type { JsonObject, JsonValue } from '@agent-service/sdk'

/** A copy with `mask` applied to every text. Names are not masked, since the schema or a plugin defines them. */
export const maskedState = (state: JsonObject, mask: (text: string) => string): JsonObject =>
  Object.fromEntries(Object.entries(state).map(([name, value]) => [name, masked(value, mask)]))

function masked(value: JsonValue, mask: (text: string) => string): JsonValue {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((item: JsonValue) => masked(item, mask))
  return value === null || typeof value !== 'object' ? value : maskedState(value as JsonObject, mask)
}
