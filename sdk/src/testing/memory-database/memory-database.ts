import type { Collection, CollectionDefinition, Database, StoredObject, Transaction } from '../../services/database.js'
import { collectionUnknownError, conflictError, documentExistsError } from './errors.js'
import { createMemoryCollection, findByKey } from './memory-collection.js'
import { createMemoryStore, type MemoryStore, type Write } from './memory-store.js'

const mostAttempts = 16

/** A database in memory, into which a test can look past the queries of a plugin. */
export interface MemoryDatabase extends Database {
  /** All documents of a collection by its name (`journal.entries`), in no order. */
  documents(collection: string): readonly StoredObject[]
  /**
   * Lets every further read and write fail with this error, as of a database that cannot be reached; with
   * `undefined` they work again. `documents` goes on.
   * `afterCalls`: so many reads and writes of documents still work. Default 0.
   */
  failWith(error: Error | undefined, options?: { readonly afterCalls?: number }): void
}

/**
 * A database in memory for tests of plugins: indexes, queries, unique keys, searches and
 * transactions as the service has them, with its error codes. Only the collections that are passed
 * may be used.
 */
export function createMemoryDatabase(collections: readonly CollectionDefinition[]): MemoryDatabase {
  const store = createMemoryStore()
  const known = new Set(collections.map(({ name }) => name))
  const demandKnown = ({ name }: CollectionDefinition): void => {
    if (!known.has(name)) throw collectionUnknownError.create({ collection: name, known: [...known] })
  }
  return {
    shared: false,
    documents: store.stored,
    failWith: store.failWith,
    collection<Document extends StoredObject>(definition: CollectionDefinition<Document>): Collection<Document> {
      demandKnown(definition)
      return createMemoryCollection(store, definition)
    },
    async transaction(work, { signal } = {}) {
      for (let attempt = 1; ; attempt++) {
        signal?.throwIfAborted()
        const view = createView(store, demandKnown)
        const result = await work(view.transaction)
        if (view.commit()) return result
        if (attempt === mostAttempts) throw conflictError.create({ collection: view.changed() ?? 'the transaction' })
      }
    },
  }
}

interface View {
  readonly transaction: Transaction
  /**
   * False if something that was read has changed. @throws `document_exists`, `unique_violation`.
   */
  commit(): boolean
  /** The collection of the changed read. */
  changed(): string | undefined
}

function createView(store: MemoryStore, demandKnown: (definition: CollectionDefinition) => void): View {
  const reads = new Map<string, { readonly collection: string; readonly id: string; readonly revision: number | undefined }>()
  const writes = new Map<string, Write>()
  const finds: (() => boolean)[] = []
  const placeOf = ({ name }: CollectionDefinition, id: string): string => JSON.stringify([name, id])

  const note = (collection: CollectionDefinition, id: string): void => {
    const place = placeOf(collection, id)
    if (!reads.has(place)) reads.set(place, { collection: collection.name, id, revision: store.entry(collection.name, id)?.revision })
  }
  const read = (collection: CollectionDefinition, id: string): StoredObject | undefined => {
    demandKnown(collection)
    const place = placeOf(collection, id)
    const write = writes.get(place)
    if (write) return write.document
    note(collection, id)
    return store.entry(collection.name, id)?.document
  }
  const write = (collection: CollectionDefinition, id: string, document: StoredObject | undefined): void => {
    demandKnown(collection)
    writes.set(placeOf(collection, id), { collection, id, document: document && structuredClone(document) })
  }
  const changed = (): string | undefined =>
    [...reads.values()].find(({ collection, id, revision }) => store.entry(collection, id)?.revision !== revision)?.collection

  const transaction: Transaction = {
    get: async <Document extends StoredObject>(collection: CollectionDefinition<Document>, id: string) =>
      read(collection, id) as Document | undefined,
    async find<Document extends StoredObject>(
      collection: CollectionDefinition<Document>,
      index: string,
      key: Parameters<Transaction['find']>[2],
    ) {
      demandKnown(collection)
      const stored = store.entries(collection.name).map(({ document }) => document)
      const own = [...writes.values()].filter((each) => each.collection.name === collection.name)
      const ids = new Set(own.map(({ id }) => id))
      const seen = [...stored.filter(({ id }) => !ids.has(id)), ...own.flatMap(({ document }) => (document ? [document] : []))]
      const found = findByKey(collection, seen as unknown as readonly Document[], index, key)
      const storedId = findByKey(collection, stored as unknown as readonly Document[], index, key)?.id
      finds.push(() => idOf(store, collection, index, key) === storedId)
      if (found) note(collection, found.id)
      return found
    },
    insert(collection, document) {
      if (read(collection, document.id)) throw documentExistsError.create({ collection: collection.name, id: document.id })
      write(collection, document.id, document)
    },
    put: (collection, document) => write(collection, document.id, document),
    delete: (collection, id) => write(collection, id, undefined),
  }
  return {
    transaction,
    changed,
    commit() {
      if (changed() !== undefined || finds.some((holds) => !holds())) return false
      if (writes.size > 0) store.commit([...writes.values()])
      return true
    },
  }
}

function idOf(
  store: MemoryStore,
  collection: CollectionDefinition,
  index: string,
  key: Parameters<Transaction['find']>[2],
): string | undefined {
  const documents = store.entries(collection.name).map(({ document }) => document)
  return findByKey(collection, documents, index, key)?.id
}
