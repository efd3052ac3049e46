import type { Disposer, Logger } from '@agent-service/sdk'
import type { DatabaseConnection, DatabaseDriver, DatabaseHealth } from '@agent-service/sdk/contracts/database-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { CollectionDefinition, Database, Transaction } from '@agent-service/sdk/services/database'
import type { InjectionToken } from 'tsyringe'
import { createSystemClock } from '../../clock/index.js'
import { internalCollectionLayout } from '../collections/collection-layout.js'
import { bindCollections } from '../collections/collection-owners.js'
import { CollectionRegistry } from '../collections/collection-registry.js'
import { createCollection } from '../collections/create-collection.js'
import { createStoredCollections } from '../collections/stored-collections.js'
import { createUpkeep } from '../collections/upkeep.js'
import { createEntityCache } from '../documents/entity-cache.js'
import { createStore } from '../documents/store.js'
import type { FolderLock } from '../folder/folder-lock.js'
import { openCollections } from '../migrations/migrate-collection.js'
import { type MigrationStep, planMigrations } from '../migrations/plan-migrations.js'
import type { KernelTransaction } from '../transactions/transaction-attempt.js'
import { createTransactionRunner } from '../transactions/transaction-runner.js'
import { createHealthMonitor } from './health-monitor.js'
import { createPurging } from './purging.js'

export type KernelDatabase = Awaited<ReturnType<typeof createKernelDatabase>>

export const databaseToken: InjectionToken<KernelDatabase> = Symbol('database')
/** The kernel's own view, with the collections of all its parts. */
export const ownDatabaseToken: InjectionToken<Database> = Symbol('own-database')

type Copy = (
  folder: string,
  options: { readonly signal: AbortSignal; readonly progress: (done: number, total: number) => void },
) => Promise<{ readonly revision: number; readonly collections: readonly { readonly name: string; readonly version: number }[] }>

/**
 * Builds the kernel's database over an open connection. Takes ownership of the connection and of
 * the folder's lock.
 */
export async function createKernelDatabase(dependencies: {
  readonly driver: DatabaseDriver
  readonly path: string
  readonly connection: DatabaseConnection
  readonly lock: FolderLock | undefined
  readonly cache: { readonly ttlSeconds: number; readonly maxEntries: number }
  readonly clock: Clock
  readonly log: Logger
}) {
  const { driver, connection, lock, clock, log } = dependencies
  const layouts = await connection.layouts()
  if (!layouts.some(({ name }) => name === internalCollectionLayout.name))
    await connection.ensureCollection(internalCollectionLayout, () => [])

  const cache = createEntityCache({ ...dependencies.cache, clock })
  const revision = await connection.revision()
  const monitor = createHealthMonitor({ connection, clock, log })
  const purging = createPurging({ connection, clock, log })
  const store = createStore({ connection, cache, revision, log, settled: monitor.look, committed: purging.committed })
  const registry = new CollectionRegistry()
  const runner = createTransactionRunner({ store, registry, clock, pause: createSystemClock().wait })
  /** Collections are opened one after the other. */
  let opening: Promise<unknown> = Promise.resolve()
  let closing: Promise<void> | undefined

  const exclusively = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = opening.then(work)
    opening = result.catch(() => undefined)
    return result
  }
  const upkeep = createUpkeep({ connection, store, exclusively })
  const stored = createStoredCollections({ connection, store, exclusively })

  const viewOf = (owner: string): Database => ({
    shared: !driver.supports.embedded,
    collection(definition) {
      registry.get(definition.name, owner)
      return createCollection(definition.name, { store, connection, opened: () => registry.get(definition.name, owner) })
    },
    transaction: (work, options) => runner.run(owner, work, options),
  })

  const close = async (): Promise<void> => {
    monitor.stop()
    await purging.stop()
    cache.clear()
    try {
      await connection.close()
    } finally {
      await lock?.release()
    }
  }

  const copy: Copy | undefined =
    connection.backup &&
    (async (folder, options) => {
      await connection.backup?.(folder, options)
      const layouts = await connection.layouts()
      return { revision: await connection.revision(), collections: layouts.map(({ name, version }) => ({ name, version })) }
    })

  return {
    /**
     * Creates, indexes and migrates an owner's collections, and returns the owner's view of the
     * database. Refuses another owner's collection, naming both; a stored version above the
     * definition's is `database_newer`. A collection's owner is stored: collections of a third party
     * or of the service stay theirs, also while the owner does not run. The service's own parts may
     * pass collections among themselves.
     */
    async openFor(
      owner: string,
      definitions: readonly CollectionDefinition[],
      { thirdParty = false }: { readonly thirdParty?: boolean } = {},
    ): Promise<Database> {
      registry.claim(owner, definitions)
      await exclusively(async () => {
        await bindCollections(connection, { id: owner, thirdParty }, definitions)
        for (const layout of await openCollections({ connection, clock, log }, definitions)) registry.open(owner, layout)
      })
      return viewOf(owner)
    },
    /** The migrations that `openFor` would run, without writing. */
    planMigrations: (definitions: readonly CollectionDefinition[]): Promise<readonly MigrationStep[]> =>
      planMigrations(connection, definitions),
    /** Access to stored documents for the kernel's work on them without their owner's code. */
    upkeep,
    /** What is stored, by collection, also of owners that do not run or are gone. */
    stored,
    kernelView: (transaction: Transaction): KernelTransaction => runner.kernelView(transaction),
    /** The revision of the newest commit that this process knows of. */
    revision: (): number => store.revision(),
    health: (): DatabaseHealth => monitor.health(),
    onHealthChange: (listener: (health: DatabaseHealth) => void): Disposer => monitor.onChange(listener),
    driver: driver.id,
    /**
     * Copies a consistent state into an empty folder, while work goes on. Not durable. Undefined if
     * the driver cannot.
     */
    copy,
    /**
     * Makes everything that was deleted or replaced before unreadable in the files of the store. This
     * also happens automatically: seconds after a deletion, minutes after a replacement, and after
     * the start.
     */
    purge: purging.purge,
    /**
     * Completes accepted work, closes the store and releases the folder's lock. May be called again.
     */
    close(): Promise<void> {
      closing ??= close()
      return closing
    },
  }
}
