import type { JsonValue } from '@agent-service/sdk'
import { formatPath, isObject } from '../index.js'

/** The dotted paths at which two values differ: the deepest ones, lists as a whole, what only one side has as a whole. */
export function changedPaths(before: JsonValue | undefined, after: JsonValue | undefined, path: readonly string[] = []): readonly string[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) => changedPaths(memberOf(before, name), memberOf(after, name), [...path, name]))
  }
  return sameValue(before, after) ? [] : [formatPath(path)]
}

const memberOf = (value: Readonly<Record<string, JsonValue>>, name: string): JsonValue | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined

/** True for equal JSON, whatever the order of members. */
function sameValue(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item: JsonValue, index) => sameValue(item, right[index]))
  return isObject(left) && isObject(right) ? changedPaths(left, right).length === 0 : left === right
}
