import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLowdbDriver } from '@agent-service/database-lowdb'
import { createSqliteDriver } from '@agent-service/database-sqlite'
import { createSystemClock, type KernelDatabase, openDatabase } from '@agent-service/kernel/testing'
import type { Logger } from '@agent-service/sdk'
import type { DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import { defineCollection } from '@agent-service/sdk/services/database'

/** The embedded drivers, each with the file that holds its data. */
export const drivers: readonly { readonly name: string; readonly dataFile: string; create(): DatabaseDriver }[] = [
  { name: 'sqlite', dataFile: 'store.sqlite', create: () => createSqliteDriver() },
  { name: 'lowdb', dataFile: 'tests.accounts.json', create: () => createLowdbDriver() },
]

/** What the tests keep. */
export interface Account {
  readonly id: string
  readonly balance: number
  readonly name?: string
  readonly padding?: string
}

export const accounts = defineCollection<Account>()({
  name: 'tests.accounts',
  version: 1,
  indexes: { by_name: { fields: ['name'], unique: true }, by_balance: { fields: ['balance'] } },
})

const log: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined, child: () => log }

/** Opens a database in a folder, with the cache on. */
export const openStore = (driver: DatabaseDriver, path: string): Promise<KernelDatabase> =>
  openDatabase({
    driver,
    path,
    settings: {},
    cache: { ttlSeconds: 300, maxEntries: 1000 },
    clock: createSystemClock(),
    log,
    signal: AbortSignal.timeout(30_000),
  })

/** A folder for one test, deleted by `remove`. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'agent-service-database-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** The error of a promise that must reject. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  let value: unknown
  try {
    value = await promise
  } catch (error) {
    if (error instanceof Error) return error
    throw new Error(`Rejected with something that is no error: ${String(error)}`, { cause: error })
  }
  throw new Error(`Resolved with ${JSON.stringify(value)} instead of rejecting.`)
}
