import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The room on the disk of a folder, in bytes. */
export interface DiskRoom {
  readonly total: number
  /** What this process could write. */
  readonly free: number
  /**
   * What may be announced: the rest is a reserve for the database and the log, which have to go on
   * when files have filled the disk. Infinite if the file system does not say how large it is.
   */
  readonly usable: number
}

const maxReserve = 1_073_741_824
const reservePart = 0.02

/** What a system says of a file system. */
export interface FileSystemBlocks {
  readonly blocks: number
  readonly bavail: number
  /** The size in which it is read and written best. */
  readonly bsize: number
  /** The size of the blocks that are counted. Node says it from 24.16 on. */
  readonly frsize?: number
}

/**
 * Looks at the disk of a folder, or of the nearest folder above that exists.
 *
 * Blocks are counted in `frsize`. Nearly everywhere `bsize` is the same, but on some file systems of
 * FUSE and the network it is larger: 1 MiB in place of 4 KiB in folders of the host under Docker
 * Desktop (virtiofs). There a Node that does not say `frsize` finds up to 256 times the room, and
 * what has none fails as it is written.
 */
export async function roomOf(folder: string, look: (folder: string) => Promise<FileSystemBlocks> = statfs): Promise<DiskRoom> {
  try {
    const { bavail, blocks, bsize, frsize = bsize } = await look(folder)
    return roomFrom({ free: bavail * frsize, total: blocks * frsize })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const above = dirname(folder)
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || above === folder) throw error
    return roomOf(above, look)
  }
}

/**
 * The room of a disk of that size. A tmpfs without a limit and some file systems of FUSE and the
 * network say 0 blocks, full or not: nothing is refused there before it is written.
 */
export const roomFrom = ({ free, total }: Pick<DiskRoom, 'free' | 'total'>): DiskRoom => ({
  free,
  total,
  usable: total === 0 ? Number.POSITIVE_INFINITY : Math.max(0, free - Math.min(maxReserve, Math.floor(total * reservePart))),
})
