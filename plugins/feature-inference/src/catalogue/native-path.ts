import type { JsonObject, JsonValue } from '@agent-service/sdk'

/**
 * The path at which custom parameters change a dotted path of the native body: the path itself, or
 * a parent that they replace as a whole. Objects merge, so an object without the path does not
 * change it. `undefined` if they do not change it.
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

/** The custom parameters without what they set at some dotted paths. */
export function withoutPaths(extraParams: JsonObject, paths: readonly string[]): JsonObject {
  return paths.reduce((left, path) => withoutPath(left, path.split('.')), extraParams)
}

function withoutPath(members: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  if (!Object.hasOwn(members, name)) return members
  const { [name]: value, ...others } = members
  if (rest.length === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return others
  return { ...others, [name]: withoutPath(value as JsonObject, rest) }
}
