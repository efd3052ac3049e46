import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileOwner } from '@agent-service/kernel-core/disk'

/** The file that a save replaces, and the files beside it. */
export interface ConfigurationTarget {
  /** The path of the file itself, with every symbolic link resolved. */
  readonly path: string
  readonly folder: string
  /** The state before the last save. */
  readonly previousPath: string
  /** The file of the lock that serializes saves. Empty, and never deleted. */
  readonly lockPath: string
  /**
   * The owner of new files, if this process may set it: the owner of the file, or of its folder if
   * there is no file.
   */
  readonly owner: FileOwner | undefined
}

/** Finds the file that a path leads to. The path of a missing file leads to itself. */
export async function findTarget(path: string): Promise<ConfigurationTarget> {
  const target = (await orAbsent(realpath(path))) ?? join((await orAbsent(realpath(dirname(path)))) ?? dirname(path), basename(path))
  const folder = dirname(target)
  return {
    path: target,
    folder,
    previousPath: `${target}.previous`,
    lockPath: `${target}.lock`,
    owner: await ownerOf(target, folder),
  }
}

/** A save by root must not take the file away from the user that the service runs as. */
async function ownerOf(target: string, folder: string): Promise<FileOwner | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const found = (await orAbsent(stat(target))) ?? (await orAbsent(stat(folder)))
  return found && found.uid !== 0 ? { user: found.uid, group: found.gid } : undefined
}

const orAbsent = <Value>(promise: Promise<Value>): Promise<Value | undefined> =>
  promise.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
