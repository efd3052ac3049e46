import { type EnvironmentValue, formatPath, type ValuePath } from '../index.js'
import type { LockedPath } from './configuration-editor.js'
import type { Change } from './read-patch.js'

/** What of the changed paths variables override: a variable may set the path, something around it, or something in it. */
export function lockedPaths(changes: readonly Change[], values: readonly EnvironmentValue[]): readonly LockedPath[] {
  const locked = values.flatMap(({ path: set, variable }) =>
    changes.flatMap(({ path }): readonly LockedPath[] => {
      if (begins(set, path)) return [{ path: formatPath(path), variable }]
      return begins(path, set) ? [{ path: formatPath(set), variable }] : []
    }),
  )
  return locked.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0))
}

const begins = (path: ValuePath, other: ValuePath): boolean => path.every((part, index) => part === other[index])
