import { isDeepStrictEqual } from 'node:util'
import { allOf } from '@agent-service/kernel-core/database/collections'
import type { JsonObject, Logger } from '@agent-service/sdk'
import type { Database } from '@agent-service/sdk/services/database'
import { type ShownOperation, shownOperationRecords } from './plugin-data-records.js'

/** The operations of the API that show what a collection has, remembered for when its plugin does not run. */
export type ShownOperations = ReturnType<typeof createShownOperations>

/** What the plugins that run say of a collection. */
export interface ShownCollection {
  /** The ids of the operations that they declare, served now or not. */
  readonly declared: readonly string[]
  /** Those of them that are served now. */
  readonly served: readonly ShownOperation[]
}

export function createShownOperations(dependencies: {
  readonly database: Database
  /** Resolves once the plugins that were to start have: what they say is then kept in one transaction. */
  readonly settled: () => Promise<void>
  readonly log: Pick<Logger, 'warn'>
}) {
  const { database, settled, log } = dependencies
  const known = new Map<string, readonly ShownOperation[]>()
  /** What the plugins last said of each collection. */
  const said = new Map<string, ShownCollection>()
  /** The collections whose operations are not kept as they are known. */
  const changed = new Set<string>()
  let loading: Promise<void> | undefined
  let noting: Promise<void> = Promise.resolve()
  let keeping: Promise<void> | undefined
  let endWaiting: () => void = () => undefined
  const closing = new Promise<void>((resolve) => {
    endWaiting = resolve
  })

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
  const note = async (shown: ReadonlyMap<string, ShownCollection>): Promise<void> => {
    await load()
    for (const [id, collection] of shown) {
      if (said.get(id) === collection) continue
      said.set(id, collection)
      const before = known.get(id) ?? []
      const operations = withRemembered(collection, before)
      if (isDeepStrictEqual(before, operations)) continue
      known.set(id, operations)
      changed.add(id)
    }
  }
  const write = async (): Promise<void> => {
    const ids = [...changed]
    if (ids.length === 0) return
    changed.clear()
    try {
      await database.transaction(async (transaction) => {
        for (const id of ids) transaction.put(shownOperationRecords, { id, operations: known.get(id) ?? [] })
      })
    } catch (error) {
      for (const id of ids) changed.add(id)
      throw error
    }
  }
  const writeAll = async (): Promise<void> => {
    try {
      await Promise.race([settled(), closing])
      for (let noted: typeof noting | undefined; noted !== noting; ) {
        noted = noting
        await noted
        await write()
      }
    } catch (error) {
      warn(error)
    }
    keeping = undefined
  }
  const warn = (error: unknown): void => log.warn('Which operations show the data of plugins could not be stored.', { error })

  return {
    /**
     * Keeps, in the background, what the plugins that run now say of their collections. An operation
     * whose plugin is off stays remembered while a plugin that runs declares it. Only the collections
     * of which another object came last time are compared.
     */
    keep(shown: ReadonlyMap<string, ShownCollection>): void {
      noting = noting.then(() => note(shown)).catch(warn)
      keeping ??= writeAll()
    },
    /** Those of a collection, as its plugin last said. */
    async of(collection: string): Promise<readonly string[]> {
      await noting
      await load()
      return known.get(collection)?.map(({ operation_id: operation }) => operation) ?? []
    },
    /** What policies see of a remembered operation, once {@link of} has answered. */
    attributesOf: (operation: string): JsonObject | undefined =>
      [...known.values()].flat().find(({ operation_id: id }) => id === operation)?.attributes,
    /** Resolves when everything is kept, whether or not the plugins have started. */
    async close(): Promise<void> {
      endWaiting()
      await keeping
    },
  }
}

/** In a fixed order, so that what is the same is equal. */
function withRemembered({ declared, served }: ShownCollection, remembered: readonly ShownOperation[]): readonly ShownOperation[] {
  const operations = new Map<string, ShownOperation>()
  for (const operation of remembered) if (declared.includes(operation.operation_id)) operations.set(operation.operation_id, operation)
  for (const operation of served) operations.set(operation.operation_id, operation)
  return [...operations.values()].sort((one, other) => (one.operation_id < other.operation_id ? -1 : 1))
}
