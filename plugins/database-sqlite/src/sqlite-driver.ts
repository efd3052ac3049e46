import type { DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import { openSqliteConnection } from './sqlite-connection.js'
import { type StartThread, startThread } from './threads.js'

/** How a driver is made. Nothing here can be reached from the configuration. */
export interface SqliteDriverOptions {
  /**
   * What SQLite syncs. Default `FULL`, the only value that keeps the driver's promise: an
   * acknowledged commit is on stable storage. The others exist for tests that show what the syncs
   * are for.
   */
  readonly synchronous?: 'FULL' | 'NORMAL' | 'OFF'
  /**
   * Whether SQLite overwrites what it deletes. Default `ON`, the only value that keeps the promise
   * of `purge`: `FAST` leaves whole pages as they were when they become free. The others exist for
   * measurements.
   */
  readonly secureDelete?: 'ON' | 'FAST' | 'OFF'
  /** Starts a thread. Tests pass their own to end one at a moment of their choice. */
  readonly startThread?: StartThread
}

/** Makes the driver `sqlite`. */
export function createSqliteDriver(options: SqliteDriverOptions = {}): DatabaseDriver {
  return {
    specVersion: 1,
    id: 'sqlite',
    supports: { embedded: true, hotBackup: true, textSearch: true },
    open: (openOptions) =>
      openSqliteConnection(openOptions, {
        synchronous: options.synchronous ?? 'FULL',
        secureDelete: options.secureDelete ?? 'ON',
        startThread: options.startThread ?? startThread,
      }),
  }
}
