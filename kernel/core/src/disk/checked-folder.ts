import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import path from 'node:path'
import { userFileConflictError } from '@agent-service/sdk/services/user-files'
import { orAbsent, type PathOfDescriptor, realPathOf } from './path-of-descriptor.js'

/**
 * A folder that is open and was proven to lie where it may. Names in it are reached through the open folder, so no other
 * folder can take its place. Where the system has no paths through descriptors, they are reached through the real path,
 * and {@link CheckedFolder.confirm} checks whether that still holds.
 */
export interface CheckedFolder {
  /** The real path that it had when it was opened. */
  readonly path: string
  /** The folder itself, for `opendir`. */
  readonly self: string
  /** A name in it, for calls that do not follow a link that stands there. */
  at(name: string): string
  /** The same for a name that may be no UTF-8. */
  at(name: Buffer): Buffer
  /** What stands at a name; `undefined` for nothing. */
  look(name: string): Promise<BigIntStats | undefined>
  /** To be called right before and after a change by name. @throws `file_conflict` when the folder is another one now. */
  confirm(): Promise<void>
  /** Makes the names in it durable. */
  sync(): Promise<void>
  close(): Promise<void>
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK

/** Opens a folder and asks where it really is; `undefined` where it may not be there. @throws what opening throws. */
export async function openCheckedFolder(
  wanted: string,
  options: {
    /** Further flags for opening, `O_NOFOLLOW` for instance. */
    readonly extraFlags?: number
    readonly allowed: (real: string) => boolean
    readonly locate: PathOfDescriptor
  },
): Promise<CheckedFolder | undefined> {
  const handle = await open(wanted, folderFlags | (options.extraFlags ?? 0))
  let kept = false
  try {
    const found = await handle.stat({ bigint: true })
    const told = await options.locate(handle.fd)
    const real = told ?? (await realPathOf(wanted, found))
    if (real === undefined || !options.allowed(real)) return undefined
    kept = true
    return checkedFolder(handle, { found, real, through: told === undefined ? real : `/proc/self/fd/${handle.fd}` })
  } finally {
    if (!kept) await handle.close()
  }
}

function checkedFolder(
  handle: FileHandle,
  { found, real, through }: { readonly found: BigIntStats; readonly real: string; readonly through: string },
): CheckedFolder {
  function at(name: string): string
  function at(name: Buffer): Buffer
  function at(name: string | Buffer): string | Buffer {
    return typeof name === 'string' ? `${through}/${name}` : Buffer.concat([Buffer.from(`${through}/`), name])
  }
  return {
    path: real,
    self: through,
    at,
    look: (name) => orAbsent(lstat(at(name), { bigint: true })),
    async confirm() {
      if (through !== real || (await realPathOf(real, found)) === real) return
      throw userFileConflictError.create({ path: path.basename(real), reason: 'was moved meanwhile; try again' })
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  }
}
