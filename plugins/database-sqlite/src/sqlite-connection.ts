import {
  type DatabaseConnection,
  type DatabaseOpenOptions,
  type DocumentRecord,
  databaseClosedError,
} from '@agent-service/sdk/contracts/database-driver'
import { backUp } from './backup.js'
import { createCatalogue } from './catalogue.js'
import { createCollectionCreator } from './collection-creator.js'
import { ensureCollection } from './ensure-collection.js'
import { createLongReads } from './long-reads.js'
import { purge } from './purge.js'
import { openReader, sliceMs } from './reader.js'
import { readRevision, type StoredCollection } from './schema.js'
import { createSearcher } from './searcher.js'
import { mapped } from './sqlite-errors.js'
import { storeFileIn } from './store-file.js'
import type { StartThread } from './threads.js'
import { createWriteQueue } from './write-queue.js'
import { createWriterKeeper } from './writer-keeper.js'

/** The driver's options for its connections. */
export interface ConnectionOptions {
  readonly synchronous: 'FULL' | 'NORMAL' | 'OFF'
  readonly secureDelete: 'ON' | 'FAST' | 'OFF'
  readonly startThread: StartThread
}

/** Opens a store: a thread that writes, and a connection here that reads beside it. */
export async function openSqliteConnection(
  open: DatabaseOpenOptions,
  { synchronous, secureDelete, startThread }: ConnectionOptions,
): Promise<DatabaseConnection> {
  const file = storeFileIn(open.path)
  const keeper = await createWriterKeeper({
    data: { folder: open.path, synchronous, secureDelete },
    startThread,
    signal: open.signal,
    log: open.log,
  })
  try {
    return createConnection(file)
  } catch (error) {
    await keeper.close()
    throw error
  }

  function createConnection(path: string): DatabaseConnection {
    const reader = mapped(path, () => openReader(path))
    const longReads = createLongReads(path)
    const searcher = createSearcher({ file: path, startThread })
    const catalogue = createCatalogue(reader.database)
    const queue = createWriteQueue({ file: path, catalogue, writer: keeper.writer })
    const creator = createCollectionCreator({ queue, catalogue })
    const ending = new AbortController()
    const backups = new Set<Promise<void>>()
    let lastPurge: Promise<void> = Promise.resolve()
    let closing: Promise<void> | undefined

    const look = <Result>(read: () => Result): Result => {
      if (closing) throw databaseClosedError.create({})
      return mapped(path, read)
    }

    const readTogether = (collection: StoredCollection, ids: readonly string[]): (DocumentRecord | undefined)[] | undefined => {
      const end = performance.now() + sliceMs
      const records: (DocumentRecord | undefined)[] = []
      reader.database.exec('BEGIN')
      try {
        for (const id of ids) {
          if (performance.now() > end) return undefined
          records.push(reader.read(collection, id))
        }
        return records
      } finally {
        reader.database.exec('COMMIT')
      }
    }

    const close = async (): Promise<void> => {
      ending.abort(databaseClosedError.create({}))
      await Promise.allSettled([...backups, lastPurge])
      await queue.drain()
      await longReads.close()
      await searcher.close()
      reader.close()
      await keeper.close()
    }

    return {
      async layouts() {
        return look(() => catalogue.all().map(({ layout }) => layout))
      },
      async ensureCollection(layout, keysOf, searchOf) {
        if (closing) throw databaseClosedError.create({})
        const wanted = structuredClone(layout)
        if (!catalogue.has(wanted.name)) await creator.create(wanted)
        await queue.exclusive((request) => ensureCollection({ layout: wanted, keysOf, searchOf, catalogue, reader, request }))
      },
      async dropCollection(name) {
        if (closing) throw databaseClosedError.create({})
        await queue.exclusive(async (request) => {
          await request({ kind: 'drop', name })
          catalogue.reload()
          reader.forget()
        })
      },
      async read(name, ids) {
        const [id] = ids
        const collection = look(() => catalogue.collection(name))
        if (ids.length === 1 && id !== undefined) return [look(() => reader.read(collection, id))]
        return look(() => readTogether(collection, ids)) ?? (await longReads.read(collection, ids))
      },
      async range(query) {
        return look(() => reader.range(catalogue.collection(query.collection), query))
      },
      async find(collection, index, key) {
        return look(() => reader.find(catalogue.collection(collection), index, key))
      },
      async search({ collection, scope, terms, after, limit, maximumBytes, signal }) {
        const { number, layout } = look(() => catalogue.collection(collection))
        if (!layout.search) throw new Error(`Collection ${collection} has no text index.`)
        return await searcher.search({ number, scope, terms, limit, maximumBytes, ...(after && { after }) }, signal)
      },
      async scan(name, { afterId, limit }) {
        const records: DocumentRecord[] = []
        while (records.length < limit) {
          if (records.length > 0) await new Promise((resolve) => setImmediate(resolve))
          const last = records.at(-1)?.id ?? afterId
          const page = look(() => reader.scan(catalogue.collection(name), last, limit - records.length))
          if (page.length === 0) break
          records.push(...page)
        }
        return records
      },
      async count(name) {
        return look(() => reader.count(catalogue.collection(name)))
      },
      async commit(batch) {
        if (closing) throw databaseClosedError.create({})
        return await queue.commit(batch)
      },
      async revision() {
        return look(() => readRevision(reader.database))
      },
      health: queue.health,
      async backup(folder, { signal, progress }) {
        if (closing) throw databaseClosedError.create({})
        const either = AbortSignal.any([signal, ending.signal])
        const running = (async () => {
          await purge({ file: path, queue, signal: either, from: 'rows' })
          await backUp({ file: path, folder }, { signal: either, progress })
        })()
        backups.add(running)
        try {
          await running
        } finally {
          backups.delete(running)
        }
      },
      async purge({ signal }) {
        if (closing) throw databaseClosedError.create({})
        const either = AbortSignal.any([signal, ending.signal])
        const running = lastPurge.then(() => purge({ file: path, queue, signal: either }))
        lastPurge = running.catch(() => undefined)
        await running
      },
      close() {
        closing ??= close()
        return closing
      },
    }
  }
}
