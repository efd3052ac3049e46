import type { DocumentRecord, RangePage, RangeQuery } from '@agent-service/sdk/contracts/database-driver'
import type { Database, Statement } from 'better-sqlite3'
import { columnOfIndex } from './catalogue.js'
import { type RangeSource, rangeSql } from './range-sql.js'
import { columnOf, type StoredCollection, tableOf } from './schema.js'
import SqliteDatabase from './sqlite-library.js'

/**
 * Reads beside the writer, on a connection of its own that cannot write. Every method is one look
 * at one moment, and bounded.
 */
export interface Reader {
  readonly database: Database
  read(collection: StoredCollection, id: string): DocumentRecord | undefined
  range(collection: StoredCollection, query: RangeQuery): RangePage
  find(collection: StoredCollection, index: string, key: Uint8Array): DocumentRecord | undefined
  /** At most `limit` documents after an id; fewer if they take longer than {@link sliceMs}. */
  scan(collection: StoredCollection, afterId: string | undefined, limit: number): DocumentRecord[]
  count(collection: StoredCollection): number
  /** Forgets statements; called after a layout has changed. */
  forget(): void
  close(): void
}

/** How long one look may keep the event loop, in milliseconds. */
export const sliceMs = 8

type Row = readonly [id: string, revision: number, body: string]
type KeyedRow = readonly [...Row, key: Buffer]

const toRecord = ([id, revision, body]: Row): DocumentRecord => ({ id, revision, body })

/** Opens a file for reading. The writer has opened it before, so it is whole and in WAL mode. */
export function openReader(file: string): Reader {
  const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: 5000 })
  database.pragma('query_only = ON')
  database.pragma('cache_size = -16000')
  database.pragma('mmap_size = 0')
  const statements = new Map<string, Statement>()

  const prepared = <Parameters extends unknown[], Result>(sql: string): Statement<Parameters, Result> => {
    let statement = statements.get(sql)
    if (!statement) {
      statement = database.prepare(sql).raw()
      statements.set(sql, statement)
    }
    return statement as unknown as Statement<Parameters, Result>
  }

  return {
    database,
    read(collection, id) {
      const row = prepared<[string], Row>(`SELECT id, revision, body FROM ${tableOf(collection.number)} WHERE id = ?`).get(id)
      return row && toRecord(row)
    },
    range(collection, query) {
      const { sql, parameters } = rangeSql(sourceOf(collection, query.index), query)
      const records: (DocumentRecord & { readonly key: Uint8Array })[] = []
      let bytes = 0
      for (const row of prepared<unknown[], KeyedRow>(sql).iterate(...parameters, query.limit + 1)) {
        const [id, revision, body, key] = row
        if (records.length >= query.limit) return { records, more: true }
        bytes += Buffer.byteLength(body)
        if (records.length > 0 && bytes > query.maximumBytes) return { records, more: true }
        records.push({ id, revision, body, key })
      }
      return { records, more: false }
    },
    find(collection, index, key) {
      const column = columnOf(columnOfIndex(collection, index))
      const sql = `SELECT id, revision, body FROM ${tableOf(collection.number)} WHERE ${column} = ? ORDER BY id LIMIT 1`
      const row = prepared<[Uint8Array], Row>(sql).get(key)
      return row && toRecord(row)
    },
    scan(collection, afterId, limit) {
      const bound = afterId === undefined ? '' : 'WHERE id > ?'
      const sql = `SELECT id, revision, body FROM ${tableOf(collection.number)} ${bound} ORDER BY id LIMIT ?`
      const parameters = afterId === undefined ? [limit] : [afterId, limit]
      const records: DocumentRecord[] = []
      const end = performance.now() + sliceMs
      for (const row of prepared<unknown[], Row>(sql).iterate(...parameters)) {
        records.push(toRecord(row))
        if (performance.now() > end) break
      }
      return records
    },
    count(collection) {
      return prepared<[number], readonly [number]>('SELECT documents FROM collections WHERE number = ?').get(collection.number)?.[0] ?? 0
    },
    forget: () => statements.clear(),
    close: () => database.close(),
  }
}

function sourceOf(collection: StoredCollection, index: string): RangeSource {
  const unique = collection.layout.indexes.find((candidate) => candidate.name === index)?.unique ?? false
  return { number: collection.number, column: columnOfIndex(collection, index), unique }
}
