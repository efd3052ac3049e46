import type { DatabaseConnection, DocumentRecord, RangePage } from '../../contracts/database-driver/index.js'
import { createMemoryDatabaseDriver } from '../memory-database-driver/index.js'
import { breakDriver, type BrokenDriver } from './break-driver.test.js'

type Keyed = RangePage['records'][number]

const byUtf16 = (left: DocumentRecord, right: DocumentRecord): number => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0)
const signed = (left: Keyed, right: Keyed): number => {
  const [first, second] = [Int8Array.from(left.key), Int8Array.from(right.key)]
  for (let at = 0; at < Math.min(first.length, second.length); at += 1) {
    const difference = (first[at] ?? 0) - (second[at] ?? 0)
    if (difference !== 0) return difference
  }
  return first.length - second.length
}

/** Reorders the records of each page. */
const reordered = (compare: (left: Keyed, right: Keyed) => number) =>
  breakDriver((connection) => ({
    async range(query) {
      const page = await connection.range(query)
      const records = [...page.records].sort(compare)
      return { ...page, records: query.order === 'ascending' ? records : records.reverse() }
    },
  }))

const readSlowly = async (connection: DatabaseConnection, collection: string, ids: readonly string[]): Promise<(DocumentRecord | undefined)[]> => {
  const records: (DocumentRecord | undefined)[] = []
  for (const id of ids) {
    records.push(...(await connection.read(collection, [id])))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return records
}

/** Drivers that read wrongly. */
export const brokenReads: readonly BrokenDriver[] = [
  {
    rule: 'bytes of keys are compared as signed',
    create: reordered(signed),
    fails: [],
  },
  {
    rule: 'ids in an index are ordered by UTF-16 units',
    create: reordered((left, right) => Buffer.compare(left.key, right.key) || byUtf16(left, right)),
    fails: [],
  },
  {
    rule: 'a scan is ordered by UTF-16 units',
    create: breakDriver((connection) => ({
      async scan(collection, { afterId, limit }) {
        const all = [...(await connection.scan(collection, { limit: 1e9 }))].sort(byUtf16)
        return all.filter((record) => afterId === undefined || record.id > afterId).slice(0, limit)
      },
    })),
    fails: [],
  },
  {
    rule: 'the upper bound is inclusive',
    create: breakDriver((connection) => ({
      range: ({ upper, ...query }) => connection.range(upper ? { ...query, upper: Buffer.concat([upper, Buffer.of(0)]) } : query),
    })),
    fails: [],
  },
  {
    rule: 'the lower bound is exclusive',
    create: breakDriver((connection) => ({
      range: ({ lower, ...query }) => connection.range(lower ? { ...query, lower: Buffer.concat([lower, Buffer.of(0)]) } : query),
    })),
    fails: [],
  },
  {
    rule: 'a position that no longer exists starts from the beginning',
    create: breakDriver((connection) => ({
      async range({ after, ...query }) {
        if (!after) return await connection.range(query)
        const [record] = await connection.read(query.collection, [after.id])
        return await connection.range(record ? { ...query, after } : query)
      },
    })),
    fails: [],
  },
  {
    rule: 'a position is compared by its key alone',
    create: breakDriver((connection) => ({
      range: ({ after, ...query }) =>
        connection.range(after ? { ...query, after: { key: after.key, id: query.order === 'ascending' ? '\u{10ffff}' : '' } } : query),
    })),
    fails: [],
  },
  {
    rule: 'a full page always says that more is left',
    create: breakDriver((connection) => ({
      async range(query) {
        const page = await connection.range(query)
        return { ...page, more: page.records.length === query.limit }
      },
    })),
    fails: [],
  },
  {
    rule: 'the bytes of a page are not bounded',
    create: breakDriver((connection) => ({ range: (query) => connection.range({ ...query, maximumBytes: Number.MAX_SAFE_INTEGER }) })),
    fails: [],
  },
  {
    rule: 'a page may be empty although something is left',
    create: breakDriver((connection) => ({
      async range(query) {
        const page = await connection.range(query)
        const [first] = page.records
        return first && Buffer.byteLength(first.body) > query.maximumBytes ? { records: [], more: true } : page
      },
    })),
    fails: [],
  },
  {
    rule: 'find gives the last document by id',
    create: breakDriver((connection) => ({
      async find(collection, index, key) {
        const upper = Buffer.concat([key, Buffer.of(0)])
        const page = await connection.range({ collection, index, lower: key, upper, order: 'descending', limit: 1, maximumBytes: 1 })
        const [record] = page.records
        return record && { id: record.id, revision: record.revision, body: record.body }
      },
    })),
    fails: [],
  },
  {
    rule: 'documents come in the order of their ids',
    create: breakDriver((connection) => ({ read: async (collection, ids) => await connection.read(collection, [...ids].sort()) })),
    fails: [],
  },
  {
    rule: 'ids are normalised',
    create: breakDriver((connection) => ({
      read: (collection, ids) => connection.read(collection, ids.map((id) => id.normalize('NFC'))),
    })),
    fails: [],
  },
  {
    rule: 'several documents are read at several moments',
    create: breakDriver((connection) => ({ read: (collection, ids) => readSlowly(connection, collection, ids) })),
    fails: [],
  },
  {
    rule: 'a collection that does not exist reads as empty',
    create: breakDriver((connection) => ({ read: (collection, ids) => connection.read(collection, ids).catch(() => ids.map(() => undefined)) })),
    fails: [],
  },
  {
    rule: 'deleted documents are counted',
    create: breakDriver((connection) => {
      let deleted = 0
      return {
        async commit(batch) {
          const before = await Promise.all(batch.writes.map(async (write) => (write.kind === 'delete' ? await connection.read(write.collection, [write.id]).catch(() => []) : [])))
          const result = await connection.commit(batch)
          if (result.outcome === 'committed') deleted += before.filter(([record]) => record).length
          return result
        },
        count: async (collection) => (await connection.count(collection)) + deleted,
      }
    }),
    fails: [],
  },
  {
    rule: 'a backup ignores its signal',
    create: breakDriver((connection) => ({
      backup: (folder, { progress }) => connection.backup?.(folder, { signal: new AbortController().signal, progress }) ?? Promise.resolve(),
    })),
    fails: [],
  },
  {
    rule: 'a backup is empty',
    create: breakDriver(() => ({ backup: async (_, { signal, progress }) => (signal.throwIfAborted(), progress(1, 1)) })),
    fails: [],
  },
  {
    rule: 'backup is promised and absent',
    create: () => {
      const driver = createMemoryDatabaseDriver()
      return {
        ...driver,
        async open(options) {
          const { backup, ...connection } = await driver.open(options)
          return backup ? connection : connection
        },
      }
    },
    fails: [],
  },
]
