import type { DatabaseConnection, DocumentRecord, RangePage } from '../../contracts/database-driver/index.js'
import { createMemoryDatabaseDriver } from '../memory-database-driver/index.js'
import { type BrokenDriver, breakDriver } from './break-driver.test.js'

type Keyed = RangePage['records'][number]

const byUtf16 = (left: DocumentRecord, right: DocumentRecord): number => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0)
const signed = (left: Keyed, right: Keyed): number => {
  const [first, second] = [Int8Array.from(left.key), Int8Array.from(right.key)]
  for (let at = 0; at < Math.min(first.length, second.length); at += 1) {
    const difference = (first[at] ?? 0) - (second[at] ?? 0)
    if (difference !== 0) return difference
  }
  return first.length - second.length || Buffer.compare(Buffer.from(left.id), Buffer.from(right.id))
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

const readSlowly = async (
  connection: DatabaseConnection,
  collection: string,
  ids: readonly string[],
): Promise<(DocumentRecord | undefined)[]> => {
  const records: (DocumentRecord | undefined)[] = []
  for (const id of ids) {
    records.push(...(await connection.read(collection, [id])))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return records
}

const readOrNothing: (
  connection: DatabaseConnection,
  ...parameters: Parameters<DatabaseConnection['read']>
) => ReturnType<DatabaseConnection['read']> = async (connection, collection, ids) => {
  const known = (await connection.layouts()).some(({ name }) => name === collection)
  return known ? await connection.read(collection, ids) : ids.map(() => undefined)
}

/** Drivers with wrong reads. */
export const brokenReads: readonly BrokenDriver[] = [
  {
    rule: 'a read has at most 5,000 documents',
    create: breakDriver(({ read }) => ({
      read: async (collection, ids) => (await read(collection, ids)).map((record, at) => (at < 5_000 ? record : undefined)),
    })),
    fails: ['documents › reads and scans thousands of documents in one call'],
  },
  {
    rule: 'a scan has at most 1,000 documents',
    create: breakDriver(({ scan }) => ({
      scan: (collection, { limit, ...more }) => scan(collection, { ...more, limit: Math.min(limit, 1_000) }),
    })),
    fails: ['documents › reads and scans thousands of documents in one call'],
  },
  {
    rule: 'pages have the keys of the index itself',
    create: breakDriver(({ range }) => {
      const handedOut = new Map<string, Uint8Array>()
      return {
        async range(query) {
          const page = await range(query)
          const records = page.records.map((record) => {
            const place = `${query.collection}/${query.index}/${record.id}/${record.revision}`
            const key = handedOut.get(place) ?? record.key
            handedOut.set(place, key)
            return { ...record, key }
          })
          return { ...page, records }
        },
      }
    }),
    fails: ['ranges › keeps keys although callers use their bytes again'],
  },
  {
    rule: 'a key is found by its beginning',
    create: breakDriver(({ find, range }) => ({
      async find(collection, index, key) {
        const exact = await find(collection, index, key)
        if (exact !== undefined || key.length < 100) return exact
        const { records } = await range({ collection, index, order: 'ascending', limit: 1, maximumBytes: 1 << 20, lower: key })
        return records[0]
      },
    })),
    fails: ['ranges › finds no key by its beginning or by more than it has'],
  },
  {
    rule: 'bytes of keys are compared as signed',
    create: reordered(signed),
    fails: ['ranges › orders keys by unsigned bytes, in both directions', 'ranges › follows a document whose key changes'],
  },
  {
    rule: 'ids in an index are ordered by UTF-16 units',
    create: reordered((left, right) => Buffer.compare(left.key, right.key) || byUtf16(left, right)),
    fails: ['ranges › orders equal keys by the bytes of ids, in both directions'],
  },
  {
    rule: 'a scan is ordered by UTF-16 units',
    create: breakDriver((connection) => ({
      async scan(collection, { afterId, limit }) {
        const all = [...(await connection.scan(collection, { limit: 1e9 }))].sort(byUtf16)
        return all.filter((record) => afterId === undefined || record.id > afterId).slice(0, limit)
      },
    })),
    fails: ['documents › scans by the bytes of ids, in pages'],
  },
  {
    rule: 'the upper bound is inclusive',
    create: breakDriver((connection) => ({
      range: ({ upper, ...query }) => connection.range(upper ? { ...query, upper: Buffer.concat([upper, Buffer.of(0)]) } : query),
    })),
    fails: [
      'ranges › includes the lower bound and excludes the upper',
      'ranges › reports whether more is left, even at the exact limit',
      'cursors › combine with bounds',
    ],
  },
  {
    rule: 'the lower bound is exclusive',
    create: breakDriver((connection) => ({
      range: ({ lower, ...query }) => connection.range(lower ? { ...query, lower: Buffer.concat([lower, Buffer.of(0)]) } : query),
    })),
    fails: [
      'ranges › includes the lower bound and excludes the upper',
      'ranges › ends a page before its bytes exceed the limit, with at least one record',
      'cursors › combine with bounds',
    ],
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
    fails: [
      'cursors › continue after a position that no longer exists, ascending',
      'cursors › continue after a position that no longer exists, descending',
      'cursors › continue by id if the key of the position is still in use',
    ],
  },
  {
    rule: 'a position is compared by its key alone',
    create: breakDriver((connection) => ({
      range: ({ after, ...query }) =>
        connection.range(after ? { ...query, after: { key: after.key, id: query.order === 'ascending' ? '\u{10ffff}' : '' } } : query),
    })),
    fails: [
      'cursors › split equal keys between pages, ascending',
      'cursors › split equal keys between pages, descending',
      'cursors › continue by id if the key of the position is still in use',
      'commits › of thousands of writes are one piece',
    ],
  },
  {
    rule: 'a full page always reports that more is left',
    create: breakDriver((connection) => ({
      async range(query) {
        const page = await connection.range(query)
        return { ...page, more: page.records.length === query.limit }
      },
    })),
    fails: [
      'ranges › reports whether more is left, even at the exact limit',
      'ranges › ends a page before its bytes exceed the limit, with at least one record',
    ],
  },
  {
    rule: 'the bytes of a page are not bounded',
    create: breakDriver((connection) => ({ range: (query) => connection.range({ ...query, maximumBytes: Number.MAX_SAFE_INTEGER }) })),
    fails: ['ranges › ends a page before its bytes exceed the limit, with at least one record'],
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
    fails: ['ranges › ends a page before its bytes exceed the limit, with at least one record'],
  },
  {
    rule: 'find returns the last document by id',
    create: breakDriver((connection) => ({
      async find(collection, index, key) {
        const upper = Buffer.concat([key, Buffer.of(0)])
        const page = await connection.range({ collection, index, lower: key, upper, order: 'descending', limit: 1, maximumBytes: 1 })
        const [record] = page.records
        return record && { id: record.id, revision: record.revision, body: record.body }
      },
    })),
    fails: ['ranges › finds by key the first document by id'],
  },
  {
    rule: 'documents come in the order of their ids',
    create: breakDriver((connection) => ({ read: async (collection, ids) => await connection.read(collection, [...ids].sort()) })),
    fails: [
      'documents › reads in the order asked for, with gaps and repetitions',
      'documents › reads and scans thousands of documents in one call',
      'documents › takes any id of 1 to 200 bytes as it is',
      'unique indexes › leave nothing of a batch that breaks them',
    ],
  },
  {
    rule: 'records have the keys of the document too',
    create: breakDriver((connection) => ({
      scan: async (...call) => (await connection.scan(...call)).map((record) => Object.assign({ keys: [] }, record)),
    })),
    fails: ['documents › gives records with nothing else in them, which stay as they were read'],
  },
  {
    rule: 'records change with the store',
    create: breakDriver((connection) => {
      const given = new Map<string, DocumentRecord>()
      return {
        async read(collection, ids) {
          return (await connection.read(collection, ids)).map((record) => {
            if (record === undefined) return undefined
            const present = Object.assign(given.get(`${collection} ${record.id}`) ?? {}, record)
            given.set(`${collection} ${record.id}`, present)
            return present
          })
        },
      }
    }),
    fails: ['documents › gives records with nothing else in them, which stay as they were read'],
  },
  {
    rule: 'ids are normalised',
    create: breakDriver((connection) => ({
      read: (collection, ids) =>
        connection.read(
          collection,
          ids.map((id) => id.normalize('NFC')),
        ),
    })),
    fails: ['documents › takes any id of 1 to 200 bytes as it is'],
  },
  {
    rule: 'several documents are read at several moments',
    create: breakDriver((connection) => ({ read: (collection, ids) => readSlowly(connection, collection, ids) })),
    fails: ['many at once › readers see whole commits only'],
  },
  {
    rule: 'a collection that does not exist reads as empty',
    create: breakDriver((connection) => ({ read: (collection, ids) => readOrNothing(connection, collection, ids) })),
    fails: ['documents › refuses a collection that does not exist', 'layouts › are removed by dropCollection, with all documents'],
  },
  {
    rule: 'deleted documents are counted',
    create: breakDriver((connection) => {
      const known = new Set<string>()
      let deleted = 0
      return {
        async commit(batch) {
          const result = await connection.commit(batch)
          if (result.outcome !== 'committed') return result
          for (const { kind, collection, id } of batch.writes) {
            if (kind === 'put') known.add(`${collection}/${id}`)
            else if (known.delete(`${collection}/${id}`)) deleted += 1
          }
          return result
        },
        count: async (collection) => (await connection.count(collection)) + deleted,
      }
    }),
    fails: [
      'documents › counts what is there',
      'unique indexes › let a key go to another document in the batch that deletes its owner, in either order',
    ],
  },
  {
    rule: 'a backup ignores its signal',
    create: breakDriver((connection) => ({
      backup: (folder, { progress }) =>
        connection.backup?.(folder, { signal: new AbortController().signal, progress }) ?? Promise.resolve(),
    })),
    fails: ['backup › leaves nothing when it is aborted'],
  },
  {
    rule: 'a backup is empty',
    create: breakDriver((connection) => ({
      backup: async (_, { signal, progress }) => {
        await connection.revision()
        signal.throwIfAborted()
        progress(1, 1)
      },
    })),
    fails: [
      'searches › find the same after the store was opened again, or restored',
      'backup › has one moment, is taken during writes, and opens',
      'purging › is not needed for a backup, which contains no deleted data',
    ],
  },
  {
    rule: 'backup is declared and missing',
    create: () => {
      const driver = createMemoryDatabaseDriver()
      return {
        ...driver,
        async open(options) {
          const { backup, ...connection } = await driver.open(options)
          return typeof backup === 'function' ? connection : await driver.open(options)
        },
      }
    },
    fails: [
      'opening › has backup exactly if it declares it',
      'backup › has one moment, is taken during writes, and opens',
      'backup › leaves nothing when it is aborted',
    ],
  },
]
