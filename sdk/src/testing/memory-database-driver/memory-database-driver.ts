import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitBatch, CommitResult, DatabaseConnection, DatabaseDriver, IndexKey } from '../../contracts/database-driver/index.js'
import { databaseClosedError, searchDocuments, uniqueViolationError } from '../../contracts/database-driver/index.js'
import { applyBatch, collectionOf, firstDuplicate, type MemoryState } from './apply-batch.js'
import { findIn, rangeOf, recordOf, scanOf } from './memory-collection.js'

/** The store of one path, for the lifetime of the driver. */
interface MemoryStore {
  state: MemoryState
  revision: number
}

/**
 * A correct driver that keeps everything in memory, for tests: fast, without files, the same in
 * every answer. A store lives as long as the driver object, so a path can be closed and opened
 * again. `backup` writes a marker into the folder, which the same driver object can open.
 */
export function createMemoryDatabaseDriver(): DatabaseDriver {
  const stores = new Map<string, MemoryStore>()
  const backups = new Map<string, MemoryStore>()
  return {
    specVersion: 1,
    id: 'memory',
    supports: { embedded: true, hotBackup: true, textSearch: true },
    async open({ path, signal }) {
      signal.throwIfAborted()
      let store = stores.get(path)
      if (!store) {
        const backup = backups.get(path)
        store = backup ? { ...backup } : { state: new Map(), revision: 0 }
        stores.set(path, store)
      }
      return createMemoryConnection(store, backups)
    },
  }
}

function createMemoryConnection(store: MemoryStore, backups: Map<string, MemoryStore>): DatabaseConnection {
  let closed = false
  let working: Promise<unknown> = Promise.resolve()

  const guard = (): void => {
    if (closed) throw databaseClosedError.create({})
  }
  /**
   * Writes happen one after the other, each a turn of the event loop after its call, as with a real
   * disk.
   */
  const enqueue = <Result>(work: () => Result): Promise<Result> => {
    guard()
    const result = working.then(() => new Promise<void>((resolve) => setImmediate(resolve))).then(work)
    working = result.catch(() => undefined)
    return result
  }
  const commitNow = (batch: CommitBatch): CommitResult => {
    const { result, state } = applyBatch(store.state, batch, store.revision + 1)
    if (result.outcome === 'committed') {
      store.state = state
      store.revision = result.revision
    }
    return result
  }

  return {
    async layouts() {
      guard()
      return [...store.state.values()].map(({ layout }) => layout).sort((left, right) => (left.name < right.name ? -1 : 1))
    },
    async ensureCollection(layout, keysOf, searchOf) {
      await enqueue(() => {
        const documents = [...(store.state.get(layout.name)?.documents.values() ?? [])].map((document) => {
          const keys: readonly IndexKey[] = keysOf(recordOf(document))
          return [document.id, { ...document, keys, search: (layout.search && searchOf?.(recordOf(document))) ?? null }] as const
        })
        const collection = { layout: structuredClone(layout), documents: new Map(documents) }
        const duplicate = firstDuplicate(collection)
        if (duplicate) throw uniqueViolationError.create({ collection: layout.name, index: duplicate.index })
        store.state = new Map(store.state).set(layout.name, collection)
      })
    },
    async dropCollection(name) {
      await enqueue(() => {
        const state = new Map(store.state)
        state.delete(name)
        store.state = state
      })
    },
    async read(collection, ids) {
      guard()
      const { documents } = collectionOf(store.state, collection)
      return ids.map((id) => {
        const document = documents.get(id)
        return document && recordOf(document)
      })
    },
    async range(query) {
      guard()
      return rangeOf(collectionOf(store.state, query.collection), query)
    },
    async find(collection, index, key) {
      guard()
      return findIn(collectionOf(store.state, collection), index, key)
    },
    async search(query) {
      guard()
      const { layout, documents } = collectionOf(store.state, query.collection)
      if (!layout.search) throw new Error(`Collection ${layout.name} has no text index.`)
      return await searchDocuments(documents.values(), query)
    },
    async scan(collection, options) {
      guard()
      return scanOf(collectionOf(store.state, collection), options)
    },
    async count(collection) {
      guard()
      return collectionOf(store.state, collection).documents.size
    },
    async commit(batch) {
      return await enqueue(() => commitNow(batch))
    },
    async revision() {
      guard()
      return store.revision
    },
    health: () => ({ writable: true }),
    async backup(folder, { signal, progress }) {
      guard()
      signal.throwIfAborted()
      const moment: MemoryStore = { ...store }
      await mkdir(folder, { recursive: true })
      await access(folder)
      signal.throwIfAborted()
      await writeFile(join(folder, 'memory-backup'), `revision ${moment.revision}\n`)
      backups.set(folder, moment)
      progress(1, 1)
    },
    async purge({ signal }) {
      guard()
      signal.throwIfAborted()
      await working
    },
    async close() {
      closed = true
      await working
    },
  }
}
