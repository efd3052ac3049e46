import { setImmediate } from 'node:timers/promises'
import type { JsonObject } from '@agent-service/sdk'
import type { CollectionLayout, DatabaseConnection, DocumentRecord, IndexPosition } from '@agent-service/sdk/contracts/database-driver'
import type { Store } from '../documents/store.js'
import { documentOf } from '../documents/stored-entry.js'
import { encodeIndexKey, prefixEnd } from '../queries/index-key.js'
import { maxPageBytes } from '../queries/query-range.js'
import { internalCollectionName, memberAt } from './collection-layout.js'
import { allOwners, ownerWrites } from './collection-owners.js'

const pageSize = 100
/** While nothing is known of the size of the documents. */
const firstPageSize = 10

/** A collection as it is stored, whether or not its owner runs. */
export interface StoredCollection {
  readonly name: string
  /** The third party that it is bound to; null for one of the service's own parts. */
  readonly owner: string | null
  /** Its indexes with their fields: what can be looked up without a scan. */
  readonly indexes: readonly { readonly name: string; readonly fields: readonly string[] }[]
}

/** Documents whose member at this path, dotted as in an index, has this text. */
export interface MemberSelection {
  readonly collection: string
  readonly member: string
  readonly value: string
}

export type StoredCollections = ReturnType<typeof createStoredCollections>

/**
 * Reads, erases and hands over what is stored, without the code of its owner. A collection that does
 * not exist has no documents. `exclusively` runs work while this process opens, creates or migrates
 * no collection.
 */
export function createStoredCollections(dependencies: {
  readonly connection: DatabaseConnection
  readonly store: Store
  readonly exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>
}) {
  const { connection, store, exclusively } = dependencies
  const layoutOf = async (name: string): Promise<CollectionLayout | undefined> =>
    (await connection.layouts()).find((layout) => layout.name === name)

  const remove = async (collection: string, ids: readonly string[]): Promise<void> => {
    await store.commit({ checks: [], writes: ids.map((id) => ({ kind: 'delete', collection, id }) as const) })
  }

  async function* pagesOf(selection: MemberSelection, signal: AbortSignal): AsyncGenerator<readonly JsonObject[]> {
    const layout = await layoutOf(selection.collection)
    if (layout) yield* selectedPages(connection, layout, selection, signal)
  }

  return {
    /** Every stored collection but the database's own. */
    async list(): Promise<readonly StoredCollection[]> {
      const [layouts, owners] = await Promise.all([connection.layouts(), allOwners(connection)])
      return layouts
        .filter(({ name }) => name !== internalCollectionName)
        .map(({ name, indexes }) => ({
          name,
          owner: owners.get(name) ?? null,
          indexes: indexes.map((index) => ({ name: index.name, fields: index.fields })),
        }))
    },
    /** How many documents it has. */
    async count(collection: string): Promise<number> {
      return (await layoutOf(collection)) ? connection.count(collection) : 0
    },
    /**
     * The selected documents, read page by page: by an index that begins with the member, otherwise
     * by reading the whole collection.
     */
    async *documents(selection: MemberSelection, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<JsonObject> {
      for await (const page of pagesOf(selection, signal)) yield* page
    },
    /** Deletes the selected documents. Resolves to how many; when aborted, the next call goes on. */
    async erase(selection: MemberSelection, { signal }: { readonly signal: AbortSignal }): Promise<number> {
      let erased = 0
      for await (const page of pagesOf(selection, signal)) {
        await remove(selection.collection, page.map(idOf))
        erased += page.length
      }
      return erased
    },
    /**
     * Deletes collections with all their documents, and the records of their owner. The owner may
     * create them anew. When aborted, or after a crash, the next call goes on.
     */
    async drop(collections: readonly string[], { signal }: { readonly signal: AbortSignal }): Promise<void> {
      for (const collection of collections) {
        if (await layoutOf(collection)) {
          for await (const page of pagesOfScan(connection, collection)) {
            signal.throwIfAborted()
            await remove(
              collection,
              page.map(({ id }) => id),
            )
          }
          await exclusively(() => connection.dropCollection(collection))
        }
        await store.commit({ checks: [], writes: ownerWrites([collection], null) })
      }
    },
    /**
     * Binds collections to another owner, or with null to the service's own parts: all or none.
     * Their names and documents stay.
     */
    rebind: (collections: readonly string[], owner: string | null): Promise<void> =>
      exclusively(async () => {
        await store.commit({ checks: [], writes: ownerWrites(collections, owner) })
      }),
  }
}

async function* selectedPages(
  connection: DatabaseConnection,
  { name: collection, indexes }: CollectionLayout,
  { member, value }: MemberSelection,
  signal: AbortSignal,
): AsyncGenerator<readonly JsonObject[]> {
  const index = indexes.find(({ fields }) => fields[0] === member)
  const isSelected = (document: JsonObject): boolean => memberAt(document, member) === value
  const pages = index ? pagesOfIndex(connection, { collection, index: index.name, value }) : pagesOfScan(connection, collection)
  for await (const records of pages) {
    signal.throwIfAborted()
    const page = records.map((record) => documentOf(collection, record)).filter(isSelected)
    if (page.length > 0) yield page
    // A driver may answer at once, page after page: everything else has its turn in between.
    await setImmediate()
  }
}

async function* pagesOfIndex(
  connection: DatabaseConnection,
  { collection, index, value }: { readonly collection: string; readonly index: string; readonly value: string },
): AsyncGenerator<readonly DocumentRecord[]> {
  const lower = encodeIndexKey([value])
  const upper = prefixEnd(lower)
  const range = {
    collection,
    index,
    lower,
    ...(upper && { upper }),
    order: 'ascending',
    limit: pageSize,
    maximumBytes: maxPageBytes,
  } as const
  let after: IndexPosition | undefined
  for (;;) {
    const { records, more } = await connection.range({ ...range, ...(after && { after }) })
    yield records
    const last = records.at(-1)
    if (!more || !last) return
    after = { key: last.key, id: last.id }
  }
}

/** A page of a scan has a number of documents, not of bytes: how many follows from the size of those before. */
async function* pagesOfScan(connection: DatabaseConnection, collection: string): AsyncGenerator<readonly DocumentRecord[]> {
  let limit = firstPageSize
  let afterId: string | undefined
  for (;;) {
    const records = await connection.scan(collection, { limit, ...(afterId !== undefined && { afterId }) })
    afterId = records.at(-1)?.id
    if (afterId === undefined) return
    const length = records.reduce((sum, { body }) => sum + body.length, 0) / records.length
    limit = Math.max(1, Math.min(pageSize, Math.floor(maxPageBytes / length)))
    yield records
  }
}

const idOf = (document: JsonObject): string => String(document['id'])
