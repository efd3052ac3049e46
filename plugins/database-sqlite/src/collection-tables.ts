import type { Database, Statement } from 'better-sqlite3'
import { columnOf, type StoredCollection, tableOf } from './schema.js'
import { openTextIndex, type TextIndex } from './text-index.js'

/** The statements of the writer for one collection. */
export interface CollectionTable {
  readonly stored: StoredCollection
  /** Positions of the unique indexes in the layout. */
  readonly uniquePositions: readonly number[]
  /** Where the collection has a text index: {@link insert} and {@link update} then take a place and its digest behind the keys. */
  readonly text: TextIndex | undefined
  readonly revisionOf: Statement<[string], number>
  readonly insert: Statement
  readonly update: Statement
  readonly delete: Statement<[string]>
  /** The document that has a key, by the number of the column. */
  ownerOf(column: number): Statement<[Buffer], string>
  /** Takes a key away from a document, before another one of the same batch gets it. */
  release(column: number): Statement<[string]>
}

/** Prepares the statements of a collection. */
export function createCollectionTable(database: Database, stored: StoredCollection): CollectionTable {
  const table = tableOf(stored.number)
  const columns = [...stored.columns.map(columnOf), ...(stored.layout.search ? ['place', 'digest'] : [])]
  const owners = new Map<number, Statement<[Buffer], string>>()
  const releases = new Map<number, Statement<[string]>>()
  return {
    stored,
    uniquePositions: stored.layout.indexes.flatMap((index, position) => (index.unique ? [position] : [])),
    text: stored.layout.search && openTextIndex(database, stored.number),
    revisionOf: database.prepare<[string], number>(`SELECT revision FROM ${table} WHERE id = ?`).pluck(),
    insert: database.prepare(
      `INSERT INTO ${table} (id, revision, body${columns.map((column) => `, ${column}`).join('')}) VALUES (?, ?, ?${', ?'.repeat(columns.length)})`,
    ),
    update: database.prepare(
      `UPDATE ${table} SET revision = ?, body = ?${columns.map((column) => `, ${column} = ?`).join('')} WHERE id = ?`,
    ),
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

function remembered<Value>(values: Map<number, Value>, key: number, make: () => Value): Value {
  const known = values.get(key)
  if (known !== undefined) return known
  const value = make()
  values.set(key, value)
  return value
}
