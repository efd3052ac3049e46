import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The room on the disk of a folder, in bytes. */
export interface DiskRoom {
  readonly total: number
  /** What this process could write. */
  readonly free: number
  /**
   * What may be announced: the rest is a reserve for the database and the log, which have to go on
   * when files have filled the disk.
   */
  readonly usable: number
}

const maxReserve = 1_073_741_824
const reservePart = 0.02

/** Looks at the disk of a folder, or of the nearest folder above that exists. */
export async function roomOf(folder: string): Promise<DiskRoom> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return roomFrom({ free: bavail * bsize, total: blocks * bsize })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const above = dirname(folder)
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || above === folder) throw error
    return roomOf(above)
  }
}

/** The room of a disk of that size. */
export const roomFrom = ({ free, total }: Pick<DiskRoom, 'free' | 'total'>): DiskRoom => ({
  free,
  total,
  usable: Math.max(0, free - Math.min(maxReserve, Math.floor(total * reservePart))),
})
