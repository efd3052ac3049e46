import type { JsonObject, JsonValue } from '../../core/json.js'
import { isObject } from '../common/json.js'

/**
 * Objects merge recursively; arrays, scalars and an explicit null replace. Neither argument is
 * changed.
 */
export function mergeExtraParameters(body: JsonObject, extraParams: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...body }
  for (const [name, value] of Object.entries(extraParams)) {
    const present = Object.hasOwn(merged, name) ? merged[name] : undefined
    const result = isObject(present) && isObject(value) ? mergeExtraParameters(present, value) : value
    // A plain assignment to `__proto__` would set the prototype instead of a member.
    Object.defineProperty(merged, name, { value: result, enumerable: true, configurable: true, writable: true })
  }
  return merged
}
