import { createHash } from 'node:crypto'
import type { SearchText } from '@agent-service/sdk/contracts/database-driver'
import type { Database } from 'better-sqlite3'
import { tableOf } from './schema.js'
import { scopeKey, wordsWithKey } from './text-key.js'

/** The FTS5 table of a collection's text index. */
export const textTableOf = (number: number): string => `words_${number}`

/**
 * A place is a millisecond and a number inside it: room for this many documents of one millisecond;
 * further ones count as a little later.
 */
const placeBits = 18n

/**
 * Columns of the documents' table: the document's row in the FTS5 table, and what that row was made
 * of.
 */
const placeColumns = ['place INTEGER', 'digest BLOB'] as const

/** For the creation of a table with a text index. */
export const placeColumnsSql: string = placeColumns.map((column) => `${column},`).join(' ')

/** What the documents' table keeps of a document that is in the text index. */
export type Place = readonly [place: bigint | null, digest: Buffer | null]

/** The place of a document that is not in the text index. */
export const noPlace: Place = [null, null]

/** Keeps the text index of one collection, inside the transaction that is open. */
export interface TextIndex {
  /**
   * Brings the index to a document's text; what it gives belongs into the document's row, in the
   * same transaction.
   */
  put(id: string, search: SearchText | null, exists: boolean): Place
  remove(id: string): void
}

/**
 * Creates the index, empty. Its table has no text of its own: words are there once, in lists, and
 * the order of rows is that of time, so that a page is read from the end of the lists without
 * sorting. The `ascii` tokenizer takes words as the kernel has made them.
 */
export function createTextIndex(database: Database, number: number): void {
  dropTextIndex(database, number)
  const table = tableOf(number)
  const present = new Set(database.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all())
  if (present.has('place')) database.exec(`UPDATE ${table} SET place = NULL, digest = NULL WHERE place IS NOT NULL`)
  else for (const column of placeColumns) database.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`)
  database.exec(`CREATE UNIQUE INDEX place_${number} ON ${table} (place) WHERE place IS NOT NULL`)
  database.exec(`CREATE VIRTUAL TABLE ${textTableOf(number)} USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii')`)
}

/** Drops the index, if there is one. The columns stay for the next. */
export function dropTextIndex(database: Database, number: number): void {
  database.exec(`DROP TABLE IF EXISTS ${textTableOf(number)}`)
  database.exec(`DROP INDEX IF EXISTS place_${number}`)
}

/** Prepares the statements of an index that is there. */
export function openTextIndex(database: Database, number: number): TextIndex {
  const table = tableOf(number)
  const text = textTableOf(number)
  const placeOf = database.prepare<[string], Place>(`SELECT place, digest FROM ${table} WHERE id = ?`).raw().safeIntegers()
  const lastPlace = database
    .prepare<[bigint, bigint], bigint | null>(`SELECT max(place) FROM ${table} WHERE place BETWEEN ? AND ?`)
    .pluck()
    .safeIntegers()
  const add = database.prepare<[bigint, string]>(`INSERT INTO ${text} (rowid, words) VALUES (?, ?)`)
  const remove = database.prepare<[bigint]>(`DELETE FROM ${text} WHERE rowid = ?`)

  const newPlace = (order: number): bigint => {
    for (let time = BigInt(order); ; time += 1n) {
      const first = time << placeBits
      const end = first + (1n << placeBits) - 1n
      const last = lastPlace.get(first, end) ?? null
      if (last === null) return first
      if (last < end) return last + 1n
    }
  }

  return {
    put(id, search, exists) {
      const [before, digestBefore] = (exists ? placeOf.get(id) : undefined) ?? noPlace
      const digest = search && digestOf(search)
      // Most writes of a document leave its text alone.
      if (before !== null && digest && digestBefore?.equals(digest)) return [before, digest]
      if (before !== null) remove.run(before)
      if (!search) return noPlace
      const place = before !== null && before >> placeBits === BigInt(search.order) ? before : newPlace(search.order)
      add.run(place, wordsWithKey(scopeKey(search.scope), search.words))
      return [place, digest]
    },
    remove(id) {
      const [place] = placeOf.get(id) ?? noPlace
      if (place !== null) remove.run(place)
    },
  }
}

const digestOf = ({ scope, order, words }: SearchText): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([scope, order]))
    .update(words)
    .digest()
    .subarray(0, 16)
