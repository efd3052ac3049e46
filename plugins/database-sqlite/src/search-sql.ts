import type { DocumentRecord, SearchPage, SearchQuery } from '@agent-service/sdk/contracts/database-driver'
import type { Database, Statement } from 'better-sqlite3'
import { tableOf } from './schema.js'
import { textTableOf } from './text-index.js'
import { matchText, scopeKey } from './text-key.js'

/** A search on its way to the thread that searches. */
export type SearchRequest = Pick<SearchQuery, 'scope' | 'terms' | 'after' | 'limit' | 'maximumBytes'> & {
  /** The number of the collection. */
  readonly number: number
}

type Row = readonly [id: string, revision: bigint, body: string, place: bigint]

/**
 * Rows of the index from the newest on, each with its document. SQLite sorts nothing, and stops at
 * the end of the page.
 */
export const searchSql = (number: number): string => `
  SELECT document.id, document.revision, document.body, text.rowid
  FROM ${textTableOf(number)} AS text CROSS JOIN ${tableOf(number)} AS document ON document.place = text.rowid
  WHERE text.words MATCH ? AND text.rowid < ? ORDER BY text.rowid DESC LIMIT ?`

const behindAll = 2n ** 63n - 1n

/** Makes the search of a connection. */
export function createSearch(database: Database): (request: SearchRequest) => SearchPage {
  const statements = new Map<number, Statement<[string, bigint, number], Row>>()
  const statementOf = (number: number): Statement<[string, bigint, number], Row> => {
    const known = statements.get(number)
    if (known) return known
    const statement = database.prepare<[string, bigint, number], Row>(searchSql(number)).raw().safeIntegers()
    statements.set(number, statement)
    return statement
  }
  return ({ number, scope, terms, after, limit, maximumBytes }) => {
    const records: (DocumentRecord & { readonly position: Uint8Array })[] = []
    let bytes = 0
    const rows = statementOf(number).iterate(matchText(scopeKey(scope), terms), after ? placeAt(after) : behindAll, limit + 1)
    for (const [id, revision, body, place] of rows) {
      if (records.length >= limit) return { records, more: true }
      bytes += Buffer.byteLength(body)
      if (records.length > 0 && bytes > maximumBytes) return { records, more: true }
      records.push({ id, revision: Number(revision), body, position: positionOf(place) })
    }
    return { records, more: false }
  }
}

function positionOf(place: bigint): Uint8Array {
  const position = new Uint8Array(8)
  new DataView(position.buffer).setBigInt64(0, place)
  return position
}

function placeAt(position: Uint8Array): bigint {
  const bytes = new Uint8Array(8)
  bytes.set(position.subarray(0, 8))
  return new DataView(bytes.buffer).getBigInt64(0)
}
