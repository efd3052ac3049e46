import { isDeepStrictEqual } from 'node:util'
import {
  type DatabaseConnection,
  type DatabaseOpenOptions,
  databaseClosedError,
  searchDocuments,
  uniqueViolationError,
} from '@agent-service/sdk/contracts/database-driver'
import { Low } from 'lowdb'
import { brokenIndexOf } from './apply-batch.js'
import { backUp } from './backup.js'
import { checkedKeys, collectionOf, emptyStore, type StoreState, toRecord } from './collection-state.js'
import type { FileSystem } from './file-system.js'
import { createFolderAdapter } from './folder-adapter.js'
import { toOpenError } from './lowdb-errors.js'
import { documentsById, firstWithKey, rangeOf } from './sorted-views.js'
import { createSyncedFolder } from './synced-folder.js'
import { createWriteQueue } from './write-queue.js'

/** The driver's options for its connections. */
export interface ConnectionOptions {
  readonly fileSystem: FileSystem
  readonly maximumDocuments: number
}

/** Opens a store: finishes what a crash cut off, then reads all files. */
export async function openLowdbConnection(
  open: DatabaseOpenOptions,
  { fileSystem, maximumDocuments }: ConnectionOptions,
): Promise<DatabaseConnection> {
  open.signal.throwIfAborted()
  const folder = createSyncedFolder(fileSystem, open.path)
  const low = new Low<StoreState>(createFolderAdapter(folder, open.path), emptyStore)
  try {
    await fileSystem.checkFolder(open.path)
    await folder.recover()
    await low.read()
    if (low.data === emptyStore) await low.write()
  } catch (error) {
    throw toOpenError(error, open.path)
  }
  open.signal.throwIfAborted()

  const warned = new Set<string>()
  const queue = createWriteQueue({
    path: open.path,
    initial: low.data,
    async write(state) {
      low.data = state
      await low.write()
      for (const [name, { documents }] of state.collections) {
        if (documents.size <= maximumDocuments || warned.has(name)) continue
        warned.add(name)
        open.log.warn('A collection has outgrown this driver: each commit writes its whole file. Use the driver sqlite.', {
          collection: name,
          documents: documents.size,
          maximumDocuments,
        })
      }
    },
    probe: folder.probe,
  })
  const ending = new AbortController()
  let closing: Promise<void> | undefined
  const backups = new Set<Promise<void>>()

  const current = (): StoreState => {
    if (closing) throw databaseClosedError.create({})
    return queue.state()
  }

  return {
    async layouts() {
      return [...current().collections.values()].map(({ layout }) => layout).sort((left, right) => (left.name < right.name ? -1 : 1))
    },
    async ensureCollection(layout, keysOf, searchOf) {
      current()
      await queue.change((state) => {
        const before = state.collections.get(layout.name)
        if (before && isDeepStrictEqual(before.layout, layout)) return state
        const documents = [...(before?.documents.values() ?? [])].map((document) => {
          const record = toRecord(document)
          const search = layout.search && searchOf?.(record)
          return [record.id, { ...record, keys: checkedKeys(layout, keysOf(record)), ...(search && { search }) }] as const
        })
        const collection = { layout: structuredClone(layout), revision: before?.revision ?? 0, documents: new Map(documents) }
        const broken = brokenIndexOf(collection)
        if (broken !== undefined) throw uniqueViolationError.create({ collection: layout.name, index: broken })
        return { ...state, collections: new Map(state.collections).set(layout.name, collection) }
      })
    },
    async dropCollection(name) {
      current()
      await queue.change((state) => {
        if (!state.collections.has(name)) return state
        const collections = new Map(state.collections)
        collections.delete(name)
        return { ...state, collections }
      })
    },
    async read(name, ids) {
      const { documents } = collectionOf(current(), name)
      return ids.map((id) => {
        const document = documents.get(id)
        return document && toRecord(document)
      })
    },
    async range(query) {
      return rangeOf(collectionOf(current(), query.collection), query)
    },
    async find(name, index, key) {
      return firstWithKey(collectionOf(current(), name), index, key)
    },
    async search(query) {
      const { layout, documents } = collectionOf(current(), query.collection)
      if (!layout.search) throw new Error(`Collection ${layout.name} has no text index.`)
      return await searchDocuments(documents.values(), query)
    },
    async scan(name, { afterId, limit }) {
      const sorted = documentsById(collectionOf(current(), name))
      const behind = afterId === undefined ? undefined : Buffer.from(afterId)
      const start = behind ? sorted.findIndex(({ id }) => Buffer.compare(Buffer.from(id), behind) > 0) : 0
      return start < 0 ? [] : sorted.slice(start, start + limit).map(toRecord)
    },
    async count(name) {
      return collectionOf(current(), name).documents.size
    },
    async commit(batch) {
      current()
      return await queue.commit(batch)
    },
    async revision() {
      return current().revision
    },
    health: queue.health,
    async backup(target, { signal, progress }) {
      const running = backUp({ state: current(), target, fileSystem, signal: AbortSignal.any([signal, ending.signal]), progress })
      backups.add(running)
      try {
        await running
      } finally {
        backups.delete(running)
      }
    },
    async purge({ signal }) {
      current()
      signal.throwIfAborted()
      // Each commit rewrites its files, so older states can only remain in a file that a failed
      // write could not remove: a state that is only
      // another object writes nothing else.
      await queue.change((state) => ({ ...state }))
    },
    close() {
      closing ??= (async () => {
        ending.abort(databaseClosedError.create({}))
        await Promise.allSettled(backups)
        await queue.drain()
      })()
      return closing
    },
  }
}
