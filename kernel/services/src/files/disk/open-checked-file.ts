import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isBelow, orAbsent, type PathOfDescriptor, realPathOf } from './path-of-descriptor.js'

/** An open regular file, with its state when it was opened. */
export interface CheckedFile {
  /** The caller closes it. */
  readonly handle: FileHandle
  readonly found: BigIntStats
}

/** How often opening is retried if the file is replaced at the same moment. */
const maxAttempts = 3

export interface FileBounds {
  /** A real path. */
  readonly root: string
  readonly locate: PathOfDescriptor
  /** `refuse`: the real path of the file must be exactly the requested one. */
  readonly links: 'follow' | 'refuse'
}

/**
 * Opens a regular file below a root for reading; `undefined` for everything else. Never blocks.
 * `wanted` is any path below the root.
 */
export async function openCheckedFile(wanted: string, bounds: FileBounds): Promise<CheckedFile | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const opened = await openOnce(wanted, bounds)
    if (opened !== 'replaced') return opened
  }
  return undefined
}

/**
 * Opens first and checks then, since an open file can no longer be replaced. A link as the last
 * name is not followed, a FIFO does not block, and the real path of the opened file must lie in the
 * folder.
 */
async function openOnce(wanted: string, { root, locate, links }: FileBounds): Promise<CheckedFile | 'replaced' | undefined> {
  const handle = await orAbsent(open(wanted, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
  if (!handle) return undefined
  let kept = false
  try {
    const found = await handle.stat({ bigint: true })
    if (!found.isFile()) return undefined
    if (found.nlink === 0n) return 'replaced'
    // Another name of the file may be in a folder that is not the user's.
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
