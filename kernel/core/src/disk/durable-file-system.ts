import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** The owner of a file, by user and group number. */
export interface FileOwner {
  readonly user: number
  readonly group: number
}

/** The operations by which small files survive a crash. */
export interface DurableFileSystem {
  /** The text of a file; `undefined` if it does not exist. */
  readFile(path: string): Promise<string | undefined>
  /**
   * Creates a folder and its parents, durably, accessible only to this user. Does nothing if it
   * exists.
   */
  createFolder(path: string): Promise<void>
  /**
   * Creates or replaces a file that only its owner may read: this user, or `owner`. Not durable.
   */
  writeFile(path: string, text: string, owner?: FileOwner): Promise<void>
  /** Makes a file's content durable. */
  syncFile(path: string): Promise<void>
  /** Replaces a file by another one atomically. Not durable. */
  rename(from: string, to: string): Promise<void>
  /** Removes a file if it exists. Not durable. */
  removeFile(path: string): Promise<void>
  /** Makes a folder's entries durable. */
  syncFolder(path: string): Promise<void>
}

export function createDurableFileSystem(): DurableFileSystem {
  const sync = async (path: string, flags: string): Promise<void> => {
    const handle = await open(path, flags)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
  return {
    async readFile(path) {
      try {
        return await readFile(path, 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async createFolder(path) {
      const first = await mkdir(path, { recursive: true, mode: 0o700 })
      if (first === undefined) return
      for (let folder = resolve(path); folder.length >= first.length; folder = dirname(folder)) await sync(dirname(folder), 'r')
    },
    async writeFile(path, text, owner) {
      const handle = await open(path, 'w', 0o600)
      try {
        // The mode above only applies to a new file, and a crash may have left one.
        await handle.chmod(0o600)
        if (owner) await handle.chown(owner.user, owner.group)
        await handle.writeFile(text)
      } finally {
        await handle.close()
      }
    },
    syncFile: (path) => sync(path, 'r+'),
    rename,
    removeFile: (path) => rm(path, { force: true }),
    syncFolder: (path) => sync(path, 'r'),
  }
}
