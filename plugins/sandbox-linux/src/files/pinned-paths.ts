import { constants } from 'node:fs'
import { open, readlink } from 'node:fs/promises'
import type { SandboxFiles } from '@agent-service/sdk/contracts/sandbox-driver'
import { isBelow } from '../confinement/system-paths.js'

/** A path, and the file that was there without a link on the way. */
export interface PinnedPath {
  readonly path: string
  /** Its device and inode, as the helper names them. */
  readonly file: string
}

/** Opens only the place, without the right to read; see open(2). Node.js does not name it. */
const placeOnly = 0o10_000_000

/**
 * Looks at each granted path that another process of the principal could swap for a link before it
 * is granted: those in a folder that is granted too. The path that is no longer what it names is
 * returned as `swapped`.
 */
export async function pinPaths(
  { read, write }: Pick<SandboxFiles, 'read' | 'write'>,
  directory: string,
): Promise<{ readonly pinned: readonly PinnedPath[] } | { readonly swapped: string }> {
  const granted = [...new Set([...read, ...write])]
  const above = [directory, ...granted]
  const pinned: PinnedPath[] = []
  for (const path of granted) {
    if (!above.some((folder) => folder !== path && isBelow(path, folder))) continue
    const file = await fileAt(path)
    if (file === undefined) return { swapped: path }
    pinned.push({ path, file })
  }
  return { pinned }
}

/** `undefined` if nothing is there, or only over a link. */
async function fileAt(path: string): Promise<string | undefined> {
  const place = await open(path, placeOnly | constants.O_NOFOLLOW).catch(() => undefined)
  try {
    if (place === undefined || (await readlink(`/proc/self/fd/${place.fd}`)) !== path) return undefined
    const { dev, ino } = await place.stat({ bigint: true })
    return `${dev}:${ino}`
  } finally {
    await place?.close()
  }
}
