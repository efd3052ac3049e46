import { type BigIntStats, constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import path from 'node:path'
import { userFileConflictError } from '@agent-service/sdk/services/user-files'
import { orAbsent, type PathOfDescriptor, realPathOf } from './path-of-descriptor.js'

/**
 * An open folder whose real path was checked. Names in it are reached through the open folder, so
 * no other folder can replace it. If the system has no paths through descriptors, they are reached
 * through the real path, and {@link CheckedFolder.confirm} checks that it is still the same folder.
 */
export interface CheckedFolder {
  /** The real path of the folder when it was opened. */
  readonly path: string
  /** The folder itself, for `opendir`. */
  readonly self: string
  /** The path of a name in it, for calls that do not follow a link with that name. */
  at(name: string): string
  /** The same for a name that may not be UTF-8. */
  at(name: Buffer): Buffer
  look(name: string): Promise<BigIntStats | undefined>
  /**
   * Call it right before and after a change by name. @throws `file_conflict` if the folder was
   * replaced
   */
  confirm(): Promise<void>
  /** Makes the folder's entries durable. */
  sync(): Promise<void>
  stat(): Promise<Stats>
  chown(uid: number, gid: number): Promise<void>
  close(): Promise<void>
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK

/**
 * Opens a folder and checks its real path; `undefined` if it is not allowed. @throws the errors of
 * opening
 */
export async function openCheckedFolder(
  wanted: string,
  options: {
    /** Further flags for opening, for example `O_NOFOLLOW`. */
    readonly extraFlags?: number
    readonly allowed: (real: string) => boolean
    readonly locate: PathOfDescriptor
  },
): Promise<CheckedFolder | undefined> {
  const handle = await open(wanted, folderFlags | (options.extraFlags ?? 0))
  let kept = false
  try {
    const found = await handle.stat({ bigint: true })
    const located = await options.locate(handle.fd)
    const real = located ?? (await realPathOf(wanted, found))
    if (real === undefined || !options.allowed(real)) return undefined
    kept = true
    return checkedFolder(handle, { found, real, through: located === undefined ? real : `/proc/self/fd/${handle.fd}` })
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
      throw userFileConflictError.create({ path: path.basename(real), reason: 'was moved during the operation; try again' })
    },
    sync: () => handle.sync(),
    stat: () => handle.stat(),
    chown: (uid, gid) => handle.chown(uid, gid),
    close: () => handle.close(),
  }
}
