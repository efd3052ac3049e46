import type { JsonObject, JsonValue } from '@agent-service/sdk'

/**
 * Where custom parameters change what stands at a dotted path of the native body: the path itself, or a place above it that they replace as a
 * whole; objects merge, so one that leaves the path alone changes nothing there. `undefined` when they do not touch it.
 */
export function touchedAt(extraParams: JsonObject, path: string): readonly string[] | undefined {
  const touched: string[] = []
  let value: JsonValue | undefined = extraParams
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return touched
    const members: JsonObject = value as JsonObject
    if (!Object.hasOwn(members, name)) return undefined
    touched.push(name)
    value = members[name]
  }
  return touched
}
