import type { FileBudget, StoredFile } from '../archive/archive-writer.js'
import { ownerOf } from './noted-files.js'
import { createSeenFiles } from './seen-files.js'

/** What files that take little room on the disk may cost a backup. */
export interface FileLimits {
  /** How many bytes of holes are read of one file. */
  readonly holesOfFile: number
  /** Of all files of one user. */
  readonly holesOfUser: number
  /**
   * How many bytes more than they occupy on the disk the files of one user may take in a backup. That is
   * so for hard links, short holes, and wherever the file system compresses.
   */
  readonly surplus: number
  /** In addition, so many times what the user's files occupy. */
  readonly surplusFactor: number
}

/**
 * Reading so many holes takes seconds to minutes; files with more have hardly been made for their data. The surplus
 * leaves room for what compresses to a quarter.
 */
export const fileLimits: FileLimits = {
  holesOfFile: 17_179_869_184,
  holesOfUser: 137_438_953_472,
  surplus: 1_073_741_824,
  surplusFactor: 3,
}

interface Spent {
  holes: number
  stored: number
  occupied: number
}

/** What may be read and stored, for each user apart: none is left to another one's. */
export function createFileBudgets(limits: FileLimits): (path: string) => FileBudget {
  const spentByUser = new Map<string, Spent>()
  const stored = createSeenFiles()

  return (path) => {
    const { user } = ownerOf(path)
    const spent = spentByUser.get(user ?? '') ?? { holes: 0, stored: 0, occupied: 0 }
    spentByUser.set(user ?? '', spent)
    const keyOf = ({ place }: StoredFile): string => `${user ?? ''}\0${place}`
    /** Another name of the same file occupies nothing more. */
    const occupiedBy = (file: StoredFile): number => (stored.has(keyOf(file)) ? 0 : file.occupied)
    return {
      holesLeft: () => Math.min(limits.holesOfFile, Math.max(0, limits.holesOfUser - spent.holes)),
      spendHoles(bytes) {
        spent.holes += bytes
      },
      takes(file) {
        // Files of the whole service are no user's.
        if (user === null) return true
        const occupied = spent.occupied + occupiedBy(file)
        return spent.stored + file.bytes - occupied <= limits.surplus + limits.surplusFactor * occupied
      },
      spend(file) {
        spent.stored += file.bytes
        spent.occupied += occupiedBy(file)
        stored.add(keyOf(file))
      },
    }
  }
}
