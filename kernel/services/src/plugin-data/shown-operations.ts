import { isDeepStrictEqual } from 'node:util'
import { allOf } from '@agent-service/kernel-core/database/collections'
import type { JsonObject, Logger } from '@agent-service/sdk'
import type { Database } from '@agent-service/sdk/services/database'
import { type ShownOperation, shownOperationRecords } from './plugin-data-records.js'

/** The operations of the API that show what a collection has, remembered for when its plugin does not run. */
export type ShownOperations = ReturnType<typeof createShownOperations>

export function createShownOperations(dependencies: { readonly database: Database; readonly log: Pick<Logger, 'warn'> }) {
  const { database, log } = dependencies
  const known = new Map<string, readonly ShownOperation[]>()
  let loading: Promise<void> | undefined
  let writing: Promise<void> = Promise.resolve()

  const read = async (): Promise<void> => {
    for await (const { id, operations } of allOf(database.collection(shownOperationRecords), { index: 'by_id' })) known.set(id, operations)
  }
  const load = async (): Promise<void> => {
    loading ??= read()
    try {
      await loading
    } catch (error) {
      loading = undefined
      throw error
    }
  }
  const write = async (shown: ReadonlyMap<string, readonly ShownOperation[]>): Promise<void> => {
    await load()
    for (const [id, operations] of shown) {
      if (isDeepStrictEqual(known.get(id) ?? [], operations)) continue
      await database.collection(shownOperationRecords).put({ id, operations })
      known.set(id, operations)
    }
  }

  return {
    /** Keeps, in the background, what the plugins that run now say of their collections. */
    keep(shown: ReadonlyMap<string, readonly ShownOperation[]>): void {
      writing = writing
        .then(() => write(shown))
        .catch((error: unknown) => log.warn('Which operations show the data of plugins could not be stored.', { error }))
    },
    /** Those of a collection, as its plugin last said. */
    async of(collection: string): Promise<readonly string[]> {
      await writing
      await load()
      return known.get(collection)?.map(({ operation_id: operation }) => operation) ?? []
    },
    /** What policies see of a remembered operation, once {@link of} has answered. */
    attributesOf: (operation: string): JsonObject | undefined =>
      [...known.values()].flat().find(({ operation_id: id }) => id === operation)?.attributes,
    /** Resolves when everything is kept. */
    close: (): Promise<void> => writing,
  }
}
