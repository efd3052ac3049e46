import type { DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import { type CollectionDefinition, type Database, defineCollection, type StoredObject } from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import type { KernelDatabase } from '../../database/open/kernel-database.js'
import { openTestDatabase, wrapDriver } from '../../database/testing/test-database.js'
import { eventCollections } from '../event-records.js'

/** The documents whose changes the events of a test report. */
export const testChanges = defineCollection<StoredObject>()({ name: 'kernel.test_changes', version: 1, indexes: {} })

/**
 * The real database over the memory driver, with the collections of events and the given ones. It outlives the events over it.
 */
export interface TestStore {
  readonly database: Database
  readonly kernelDatabase: KernelDatabase
  /** Runs before each step of the driver, so that a test decides what overlaps. */
  pause: () => Promise<void>
  /** The documents of a collection in the driver. */
  stored<Document extends StoredObject>(
    definition: CollectionDefinition<Document>,
  ): Promise<readonly { readonly document: Document; readonly revision: number }[]>
}

const open: (() => Promise<void>)[] = []

/** Opens an empty store. {@link endTestStores} closes it. */
export async function openTestStore(
  options: { readonly cached?: boolean; readonly collections?: readonly CollectionDefinition[] } = {},
): Promise<TestStore> {
  const connections: DatabaseConnection[] = []
  const store: { pause: () => Promise<void> } = { pause: () => Promise.resolve() }
  const paused =
    <Arguments extends readonly unknown[], Result>(work: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      await store.pause()
      return work(...given)
    }
  // A driver commits in the order of the calls, however long each takes.
  let turn: Promise<void> = Promise.resolve()
  const inOrder =
    <Argument, Result>(commit: (given: Argument) => Promise<Result>) =>
    (given: Argument): Promise<Result> => {
      turn = turn.then(() => store.pause())
      return turn.then(() => commit(given))
    }
  const driver = wrapDriver(createMemoryDatabaseDriver(), (connection) => {
    connections.push(connection)
    const { read, range, find, commit } = connection
    return { ...connection, read: paused(read), range: paused(range), find: paused(find), commit: inOrder(commit) }
  })
  const cache = { ttlSeconds: 300, maxEntries: (options.cached ?? true) ? 1000 : 0 }
  const { database: kernelDatabase, end } = await openTestDatabase({ driver, cache })
  open.push(end)
  const database = await kernelDatabase.openFor('kernel', [...(options.collections ?? []), ...eventCollections, testChanges])
  return Object.assign(store, {
    database,
    kernelDatabase,
    async stored<Document extends StoredObject>(definition: CollectionDefinition<Document>) {
      const records = await Promise.all(connections.map((connection) => connection.scan(definition.name, { limit: 10_000 })))
      return records.flat().map(({ body, revision }) => ({ document: JSON.parse(body) as Document, revision }))
    },
  })
}

/** Closes every store that was opened since the last call. For `afterEach`. */
export async function endTestStores(): Promise<void> {
  for (const end of open.splice(0)) await end()
}

/** A pause of one turn of the event loop at each step, so that all work that can overlap does. */
export const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
