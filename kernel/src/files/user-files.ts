import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { UserPath } from './user-path.js'

/** A file that is open, and what was true of it when it was opened. */
export interface OpenUserFile {
  /** Close it. */
  readonly handle: FileHandle
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly modifiedAt: Date
  /** Strong: another content of the file has another one, as far as the file system's time goes. */
  readonly etag: string
}

/** Whose folder it is. */
export interface FolderOwner {
  /** The name of the user's folder. */
  readonly handle: string
}

/** The files of users, below `{storage.data_dir}/users/{user_handle}`. Every path of a user is resolved and checked here and nowhere else. */
export interface UserFiles {
  /**
   * Opens a regular file for reading. `undefined` for everything else: what is not there or cannot be read, folders, devices, FIFOs, sockets, files with
   * several names, and whatever a symbolic link leads out of the subsystem's folder to. Never waits for what is opened.
   */
  open(owner: FolderOwner, place: UserPath): Promise<OpenUserFile | undefined>
}

/** How often an open is repeated that lost a race with somebody who replaces the file. */
const mostAttempts = 3
/** Not to be found as such, or not for us. Anything else (too many open files, a failing disk) is the service's own trouble. */
const absentCodes: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EPERM',
  'ENXIO',
  'ENAMETOOLONG',
  'EISDIR',
  'EINVAL',
])

/** Gives the path of what a descriptor has open, as the system sees it now; `undefined` where the system does not tell. */
export type PathOfDescriptor = (descriptor: number) => Promise<string | undefined>

/** Linux tells in /proc, other systems do not. */
export const pathOfDescriptor: PathOfDescriptor = async (descriptor) => {
  if (process.platform !== 'linux') return undefined
  try {
    return await readlink(`/proc/self/fd/${descriptor}`)
  } catch {
    return undefined
  }
}

/** Makes them. `usersFolder` is `{storage.data_dir}/users`. */
export function createUserFiles(options: { readonly usersFolder: string; readonly pathOfDescriptor?: PathOfDescriptor }): UserFiles {
  const { usersFolder } = options
  const locate = options.pathOfDescriptor ?? pathOfDescriptor

  return {
    async open({ handle: owner }, { subsystem, segments }) {
      // Links above the users are the operator's; below, the folder of a subsystem is one, and leads nowhere else.
      const users = await orAbsent(realpath(usersFolder))
      if (users === undefined) return undefined
      const root = path.join(users, owner, subsystem)
      const wanted = path.join(root, ...segments)
      if (!isBelow(wanted, root) || !isBelow(root, users)) return undefined
      for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
        const opened = await openChecked(wanted, root, locate)
        if (opened !== 'replaced') return opened
      }
      return undefined
    },
  }
}

/**
 * Opens first and asks then: only what is open can no longer be changed for something else. The last name is not followed if it is a link, a FIFO does not
 * block, and what was opened must lie in the folder by its real path.
 */
async function openChecked(wanted: string, root: string, locate: PathOfDescriptor): Promise<OpenUserFile | 'replaced' | undefined> {
  const handle = await orAbsent(open(wanted, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
  if (!handle) return undefined
  let kept = false
  try {
    const found = await handle.stat({ bigint: true })
    if (!found.isFile()) return undefined
    if (found.nlink === 0n) return 'replaced'
    // A second name may stand in a folder that is not the user's.
    if (found.nlink > 1n) return undefined
    const real = (await locate(handle.fd)) ?? (await realPathOf(wanted, found))
    if (real === undefined) return 'replaced'
    if (!isBelow(real, root)) return undefined
    kept = true
    return {
      handle,
      name: path.basename(wanted),
      size: Number(found.size),
      modifiedAt: new Date(Number(found.mtimeMs)),
      etag: `"${found.ino.toString(36)}-${found.size.toString(36)}-${found.mtimeNs.toString(36)}"`,
    }
  } finally {
    if (!kept) await handle.close()
  }
}

/** Where the system does not tell the path of a descriptor: the path's real one, if it leads to the very file that is open, before and after. */
async function realPathOf(wanted: string, found: { readonly dev: bigint; readonly ino: bigint }): Promise<string | undefined> {
  const before = await orAbsent(realpath(wanted))
  if (before === undefined) return undefined
  const now = await orAbsent(stat(before, { bigint: true }))
  const after = await orAbsent(realpath(wanted))
  return now?.dev === found.dev && now.ino === found.ino && before === after ? before : undefined
}

const isBelow = (inner: string, folder: string): boolean => inner.startsWith(`${folder}${path.sep}`)

async function orAbsent<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise
  } catch (error) {
    if (absentCodes.has(String((error as NodeJS.ErrnoException).code))) return undefined
    throw error
  }
}
