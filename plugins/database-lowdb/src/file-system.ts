import { access, constants, open, readdir, readFile, rename, unlink } from 'node:fs/promises'

/** A file that is being written. */
export interface WritableFile {
  write(text: string): Promise<void>
  /**
   * Resolves when what was written would survive a power cut, provided that the file's name does.
   */
  sync(): Promise<void>
  close(): Promise<void>
}

/** All that the driver does with files. Errors carry Node's codes. */
export interface FileSystem {
  /** Rejects when the folder cannot be read and written. */
  checkFolder(path: string): Promise<void>
  readFolder(path: string): Promise<readonly string[]>
  readFile(path: string): Promise<string>
  /** Creates the file, or empties it. */
  openForWriting(path: string): Promise<WritableFile>
  /** Replaces what has the new name. */
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  /** Resolves when the names in a folder would survive a power cut. */
  syncFolder(path: string): Promise<void>
}

/** The machine's own. Files are readable by the service's user alone. */
export const nodeFileSystem: FileSystem = {
  checkFolder: (path) => access(path, constants.R_OK | constants.W_OK | constants.X_OK),
  readFolder: (path) => readdir(path),
  readFile: (path) => readFile(path, 'utf8'),
  async openForWriting(path) {
    const handle = await open(path, 'w', 0o600)
    return {
      write: (text) => handle.writeFile(text),
      sync: () => handle.sync(),
      close: () => handle.close(),
    }
  },
  rename,
  unlink,
  async syncFolder(path) {
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
}

/** Node's code of an error, or an empty string. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
