import type { Database, Statement } from 'better-sqlite3'
import { columnOf, type StoredCollection, tableOf } from './schema.js'
import { openTextIndex, type TextIndex } from './text-index.js'

/** The statements of the writer for one collection. */
export interface CollectionTable {
  readonly stored: StoredCollection
  /** Positions of the unique indexes in the layout. */
  readonly uniquePositions: readonly number[]
  /**
   * Where the collection has a text index: {@link insert} and {@link updateOf} then take a place
   * and its digest behind the keys.
   */
  readonly text: TextIndex | undefined
  readonly revisionOf: Statement<[string], number>
  /** The keys of a document that is there, in the order of the layout's indexes. */
  readonly keysOf: Statement<[string], (Buffer | null)[]>
  readonly insert: Statement
  readonly delete: Statement<[string]>
  /**
   * Changes a document and of its keys those at the positions given, in that order. SQLite takes
   * every key that a statement names out of its index and puts it back, changed or not, and each
   * page that this touches is written to the log.
   */
  updateOf(positions: readonly number[]): Statement
  /** The document that has a key, by the number of the column. */
  ownerOf(column: number): Statement<[Buffer], string>
  /** Takes a key away from a document, before another one of the same batch gets it. */
  release(column: number): Statement<[string]>
}

/** Prepares the statements of a collection. */
export function createCollectionTable(database: Database, stored: StoredCollection): CollectionTable {
  const table = tableOf(stored.number)
  const keys = stored.columns.map(columnOf)
  const search = stored.layout.search ? ['place', 'digest'] : []
  const columns = [...keys, ...search]
  const updates = new Map<string, Statement>()
  const owners = new Map<number, Statement<[Buffer], string>>()
  const releases = new Map<number, Statement<[string]>>()
  return {
    stored,
    uniquePositions: stored.layout.indexes.flatMap((index, position) => (index.unique ? [position] : [])),
    text: stored.layout.search && openTextIndex(database, stored.number),
    revisionOf: database.prepare<[string], number>(`SELECT revision FROM ${table} WHERE id = ?`).pluck(),
    keysOf: database.prepare<[string], (Buffer | null)[]>(`SELECT ${keys.join(', ') || 'NULL'} FROM ${table} WHERE id = ?`).raw(),
    insert: database.prepare(
      `INSERT INTO ${table} (id, revision, body${columns.map((column) => `, ${column}`).join('')}) VALUES (?, ?, ?${', ?'.repeat(columns.length)})`,
    ),
    updateOf(positions) {
      return remembered(updates, positions.join(), () => {
        const changed = [...keys.filter((_, position) => positions.includes(position)), ...search]
        return database.prepare(
          `UPDATE ${table} SET revision = ?, body = ?${changed.map((column) => `, ${column} = ?`).join('')} WHERE id = ?`,
        )
      })
    },
    delete: database.prepare<[string]>(`DELETE FROM ${table} WHERE id = ?`),
    ownerOf(column) {
      return remembered(owners, column, () =>
        database.prepare<[Buffer], string>(`SELECT id FROM ${table} WHERE ${columnOf(column)} = ? LIMIT 1`).pluck(),
      )
    },
    release(column) {
      return remembered(releases, column, () => database.prepare<[string]>(`UPDATE ${table} SET ${columnOf(column)} = NULL WHERE id = ?`))
    },
  }
}

function remembered<Key, Value>(values: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = values.get(key)
  if (known !== undefined) return known
  const value = make()
  values.set(key, value)
  return value
}
