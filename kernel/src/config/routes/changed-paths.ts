import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '@agent-service/sdk'
import { formatPath, isObject, own } from '../index.js'

/** The dotted paths at which two values differ: the deepest ones, lists as a whole, what only one side has as a whole. */
export function changedPaths(before: JsonValue | undefined, after: JsonValue | undefined, path: readonly string[] = []): readonly string[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) => changedPaths(own(before, name), own(after, name), [...path, name]))
  }
  return isDeepStrictEqual(before, after) ? [] : [formatPath(path)]
}
