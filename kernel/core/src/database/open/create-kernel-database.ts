import type { Logger } from '@agent-service/sdk'
import type { DatabaseConnection, DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { createSystemClock } from '../../clock/index.js'
import { bindCollections } from '../collections/collection-owners.js'
import { CollectionRegistry } from '../collections/collection-registry.js'
import { createCollection } from '../collections/create-collection.js'
import { internalCollectionLayout } from '../collections/internal-collection.js'
import { createUpkeep } from '../collections/upkeep.js'
import { createEntityCache } from '../documents/entity-cache.js'
import { createStore } from '../documents/store.js'
import type { FolderLock } from '../folder/folder-lock.js'
import { openCollections } from '../migrations/migrate-collection.js'
import { planMigrations } from '../migrations/plan-migrations.js'
import { createTransactionRunner } from '../transactions/transaction-runner.js'
import { createHealthMonitor } from './health-monitor.js'
import type { KernelDatabase } from './kernel-database.js'
import { createPurging } from './purging.js'

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
}): Promise<KernelDatabase> {
  const { driver, connection, lock, clock, log } = dependencies
  const stored = await connection.layouts()
  if (!stored.some(({ name }) => name === internalCollectionLayout.name))
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

  return {
    async openFor(owner, definitions, { thirdParty = false } = {}) {
      registry.claim(owner, definitions)
      await exclusively(async () => {
        await bindCollections(connection, { id: owner, thirdParty }, definitions)
        for (const layout of await openCollections({ connection, clock, log }, definitions)) registry.open(owner, layout)
      })
      return viewOf(owner)
    },
    upkeep,
    planMigrations: (definitions) => planMigrations(connection, definitions),
    kernelView: (transaction) => runner.kernelView(transaction),
    revision: () => store.revision(),
    health: () => monitor.health(),
    onHealthChange: (listener) => monitor.onChange(listener),
    driver: driver.id,
    ...(connection.backup && {
      async copy(folder, options) {
        await connection.backup?.(folder, options)
        const layouts = await connection.layouts()
        return { revision: await connection.revision(), collections: layouts.map(({ name, version }) => ({ name, version })) }
      },
    }),
    purge: purging.purge,
    close() {
      closing ??= close()
      return closing
    },
  }
}
