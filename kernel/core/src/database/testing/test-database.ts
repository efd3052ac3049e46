import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '@agent-service/sdk'
import type { CommitBatch, CommitResult, DatabaseConnection, DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { createSystemClock } from '../../clock/index.js'
import type { KernelDatabase } from '../open/kernel-database.js'
import { openDatabase } from '../open/open-database.js'

/** A log that discards everything. */
export const quietLog: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quietLog,
}

/** A database in a folder of its own. */
export interface TestDatabase {
  readonly database: KernelDatabase
  readonly folder: string
  /** Closes it and deletes the folder. */
  end(): Promise<void>
}

/** Opens a database over the memory driver, or over another. */
export async function openTestDatabase(
  options: {
    readonly driver?: DatabaseDriver
    readonly clock?: Clock
    readonly log?: Logger
    readonly cache?: { readonly ttlSeconds: number; readonly maxEntries: number }
  } = {},
): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-service-database-'))
  const {
    driver = createMemoryDatabaseDriver(),
    clock = createSystemClock(),
    log = quietLog,
    cache = { ttlSeconds: 300, maxEntries: 1000 },
  } = options
  const database = await openDatabase({ driver, path: folder, settings: {}, cache, clock, log, signal: AbortSignal.timeout(60_000) })
  return {
    database,
    folder,
    async end() {
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A wrapper of a test between the kernel and the driver. */
export type ConnectionWrapper = (connection: DatabaseConnection) => DatabaseConnection

/** A driver whose connections are wrapped. */
export function wrapDriver(driver: DatabaseDriver, wrap: ConnectionWrapper): DatabaseDriver {
  return { ...driver, open: async (options) => wrap(await driver.open(options)) }
}

/** Records the batches that reach a driver. */
export function recordCommits(): { readonly batches: CommitBatch[]; readonly wrap: ConnectionWrapper } {
  const batches: CommitBatch[] = []
  const wrap: ConnectionWrapper = (connection) => ({
    ...connection,
    commit(batch): Promise<CommitResult> {
      batches.push(batch)
      return connection.commit(batch)
    },
  })
  return { batches, wrap }
}

/** The error of a promise that must reject. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { readonly code?: string; readonly status?: number }> {
  let value: unknown
  try {
    value = await promise
  } catch (error) {
    if (error instanceof Error) return error
    throw new Error(`Rejected with something that is no error: ${String(error)}`, { cause: error })
  }
  throw new Error(`Resolved with ${JSON.stringify(value)} instead of rejecting.`)
}

/** A promise that a test resolves. */
export function createGate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
