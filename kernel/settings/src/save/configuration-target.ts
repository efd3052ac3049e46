import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileOwner } from '@agent-service/kernel-core/disk'

/** The file that a save replaces, and what lies beside it. */
export interface ConfigurationTarget {
  /** Where the bytes are: behind every symbolic link. */
  readonly path: string
  readonly folder: string
  /** The state before the last save. */
  readonly previousPath: string
  /** Carries the lock that saves exclude each other by. Empty, and never deleted. */
  readonly lockPath: string
  /** Who the files shall belong to, when this process may write for others: the owner of the file, or of its folder when there is none. */
  readonly owner: FileOwner | undefined
}

/** Finds the file that a path leads to. The path of a file that is not there leads to itself. */
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

/** A save by the machine's administrator must not take the file away from the user that the service runs as. */
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
