import type { JsonObject, Logger } from '@agent-service/sdk'
import { type DatabaseConnection, type DatabaseDriver, databaseUnreachableError } from '@agent-service/sdk/contracts/database-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import { restrictFolder } from '../../disk/restrict-modes.js'
import { ownDatabaseFolder } from '../folder/database-folder.js'
import { createKernelDatabase, type KernelDatabase } from './kernel-database.js'

/** How long to wait for a database server that does not answer, in milliseconds. */
const reachableWithin = 60_000
const maxBackOffMs = 5_000

export interface OpenDatabaseOptions {
  readonly driver: DatabaseDriver
  /** The folder of an embedded driver; absolute. Created if it is missing. */
  readonly path: string
  readonly url?: string | undefined
  readonly settings: JsonObject
  /** `cache.entity_ttl_secs` and `cache.entity_max_capacity`; 0 in either turns the cache off. */
  readonly cache: { readonly ttlSeconds: number; readonly maxEntries: number }
  readonly clock: Clock
  readonly log: Logger
  /** Aborted when the start is cancelled. Has no effect once the database is open. */
  readonly signal: AbortSignal
  /** Called with an embedded driver's folder, which is locked, before the driver opens a file. */
  readonly prepareFolder?: (path: string) => Promise<void>
  /**
   * Called once, while the driver opens: this thread is idle while another thread starts and the
   * disk syncs.
   */
  readonly meanwhile?: () => void
}

/**
 * Opens the store: locks an embedded driver's folder, opens the driver, waits up to a minute for a
 * server. If it fails, nothing stays open.
 * @throws `database_forbidden`, `database_locked`, `database_corrupt`, `database_newer`,
 * `database_unreachable`.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<KernelDatabase> {
  const { driver, path, clock, log, signal } = options
  signal.throwIfAborted()
  const lock = driver.supports.embedded ? await ownDatabaseFolder(path, { now: () => clock.now() }) : undefined
  let connection: DatabaseConnection | undefined
  try {
    if (lock) {
      // Before the driver opens any file, and while no other process can.
      await restrictFolder(path, { log })
      await options.prepareFolder?.(path)
    }
    connection = await openDriver(options)
    signal.throwIfAborted()
    return await createKernelDatabase({ driver, path, connection, lock, cache: options.cache, clock, log })
  } catch (error) {
    try {
      await connection?.close()
    } finally {
      await lock?.release()
    }
    throw error
  }
}

async function openDriver(options: OpenDatabaseOptions): Promise<DatabaseConnection> {
  const { driver, path, url, settings, clock, log, signal } = options
  const started = clock.monotonic()
  let { meanwhile } = options
  for (let wait = 250; ; wait = Math.min(wait * 2, maxBackOffMs)) {
    try {
      const opening = driver.open({ path, settings, log, signal, ...(url !== undefined && { url }) })
      meanwhile?.()
      meanwhile = undefined
      return await opening
    } catch (error) {
      if (!databaseUnreachableError.isInstance(error) || clock.monotonic() - started + wait > reachableWithin) throw error
      log.warn('The database server does not answer yet; trying again.', { in_ms: wait, error })
      await clock.wait(wait, { signal })
    }
  }
}
