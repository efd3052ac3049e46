import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isBelow, orAbsent, type PathOfDescriptor, realPathOf } from './path-of-descriptor.js'

/** A regular file that is open, and what was true of it when it was opened. */
export interface CheckedFile {
  /** Close it. */
  readonly handle: FileHandle
  readonly found: BigIntStats
}

/** How often an open is repeated that lost a race with somebody who replaces the file. */
const mostAttempts = 3

/** Where a file may be. */
export interface FileBounds {
  /** A real path. */
  readonly root: string
  readonly locate: PathOfDescriptor
  /** `refuse`: the real path of the file must be the very one that is wanted. */
  readonly links: 'follow' | 'refuse'
}

/** Opens a regular file below a root for reading; `undefined` for everything else. Never waits for what is opened. `wanted` is any path below the root. */
export async function openCheckedFile(wanted: string, bounds: FileBounds): Promise<CheckedFile | undefined> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const opened = await openOnce(wanted, bounds)
    if (opened !== 'replaced') return opened
  }
  return undefined
}

/**
 * Opens first and asks then: only what is open can no longer be changed for something else. The last name is not followed if it is a link, a FIFO does not
 * block, and what was opened must lie in the folder by its real path.
 */
async function openOnce(wanted: string, { root, locate, links }: FileBounds): Promise<CheckedFile | 'replaced' | undefined> {
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
    if (!isBelow(real, root) || (links === 'refuse' && real !== wanted)) return undefined
    kept = true
    return { handle, found }
  } finally {
    if (!kept) await handle.close()
  }
}
