import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { isObject } from '../json.js'

/** The paths of `extraParams` that touch what the service owns: the path itself, something below it, or an ancestor replaced as a whole. */
export function protectedPathsTouched(extraParams: JsonObject, protectedPaths: readonly string[]): readonly string[] {
  return protectedPaths.filter((path) => touches(extraParams, path.split('.')))
}

function touches(value: JsonValue | undefined, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true
  if (!isObject(value)) return true
  if (!Object.hasOwn(value, first)) return false
  return rest.length === 0 || touches(value[first], rest)
}

/** Objects merge recursively; arrays, scalars and an explicit null replace. Neither argument is changed. */
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
