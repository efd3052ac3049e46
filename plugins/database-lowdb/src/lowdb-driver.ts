import type { DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import { type FileSystem, nodeFileSystem } from './file-system.js'
import { openLowdbConnection } from './lowdb-connection.js'

/** How a driver is made. */
export interface LowdbDriverOptions {
  /**
   * Where the files are. Default the machine's own file system; tests pass one that can lose what
   * was not synced.
   */
  readonly fileSystem?: FileSystem
}

/**
 * Documents in a collection up to which this driver is meant to be used: every commit writes the
 * collection's whole file.
 */
export const maximumDocuments = 1000

/** Makes the driver `lowdb`. */
export function createLowdbDriver({ fileSystem = nodeFileSystem }: LowdbDriverOptions = {}): DatabaseDriver {
  return {
    specVersion: 1,
    id: 'lowdb',
    supports: { embedded: true, hotBackup: true, textSearch: true, maximumDocuments },
    open: (options) => openLowdbConnection(options, { fileSystem, maximumDocuments }),
  }
}
