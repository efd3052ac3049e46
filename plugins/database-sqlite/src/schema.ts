import type { CollectionLayout } from '@agent-service/sdk/contracts/database-driver'
import type { Database } from 'better-sqlite3'

/** Marks the file as ours, in SQLite's header: the letters `AgSv`. */
export const applicationId = 0x41675376

/** The generation of the tables below, in SQLite's `user_version`. */
export const schemaVersion = 1

/**
 * One table a collection: id, revision, one BLOB column an index, body; and one SQLite index an
 * index. Measured with 900-byte documents against a table without rowid (half the inserts with
 * random ids: the large rows themselves are moved) and against a table an index (a third less with
 * random ids: every insert descends one more tree, and every update must look up the old key): this
 * one was fastest in both orders. The table `purged` says that the file never held deleted data, or
 * was rewritten since; files of older versions have it from their first purge on.
 */
export const schema = `
  CREATE TABLE purged (only INTEGER PRIMARY KEY CHECK (only = 1));
  CREATE TABLE store (only INTEGER PRIMARY KEY CHECK (only = 1), revision INTEGER NOT NULL);
  INSERT INTO store VALUES (1, 0);
  CREATE TABLE collections (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    layout TEXT NOT NULL,
    columns TEXT NOT NULL,
    documents INTEGER NOT NULL
  );
`

/** A collection as the file has it. */
export interface StoredCollection {
  /** Names the table. Never given to another collection. */
  readonly number: number
  readonly layout: CollectionLayout
  /** For each index of the layout the number of its column. */
  readonly columns: readonly number[]
}

/** The table of a collection. */
export const tableOf = (number: number): string => `documents_${number}`

/** The column that holds an index's keys. */
export const columnOf = (column: number): string => `k${column}`

/** The SQLite index over a column. */
export const indexOf = (number: number, column: number): string => `index_${number}_${column}`

/**
 * Creates the table of a collection with columns `k0` to `k<count - 1>` and further ones. The body
 * comes last, so that the others are read without it.
 * @param further - Column definitions, each followed by a comma.
 */
export function createTable(number: number, columnCount: number, further = ''): string {
  const columns = Array.from({ length: columnCount }, (_, column) => `${columnOf(column)} BLOB,`).join(' ')
  return `CREATE TABLE ${tableOf(number)} (id TEXT NOT NULL PRIMARY KEY, revision INTEGER NOT NULL, ${columns} ${further} body TEXT NOT NULL)`
}

/** Creates the SQLite index of one index. A unique one needs no id in it. */
export function createIndex(number: number, column: number, unique: boolean): string {
  const name = indexOf(number, column)
  return unique
    ? `CREATE UNIQUE INDEX ${name} ON ${tableOf(number)} (${columnOf(column)})`
    : `CREATE INDEX ${name} ON ${tableOf(number)} (${columnOf(column)}, id)`
}

interface CollectionRow {
  readonly number: number
  readonly layout: string
  readonly columns: string
}

/** The collections of a file, by name. */
export function readCollections(database: Database): StoredCollection[] {
  const rows = database.prepare<[], CollectionRow>('SELECT number, layout, columns FROM collections ORDER BY name').all()
  return rows.map(({ number, layout, columns }) => ({
    number,
    layout: JSON.parse(layout) as CollectionLayout,
    columns: JSON.parse(columns) as readonly number[],
  }))
}

/** The revision of the newest commit in the file. */
export function readRevision(database: Database): number {
  return database.prepare<[], number>('SELECT revision FROM store').pluck().get() ?? 0
}

/**
 * Whether nothing is left in the file of what was deleted before deleted bytes were overwritten at
 * once.
 */
export const wasPurged = (database: Database): boolean =>
  database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'purged'").get() !== undefined

/**
 * Empties the columns of a collection's table that no index has any more: the keys of dropped
 * indexes.
 */
export function clearUnusedColumns(database: Database, number: number, used: readonly number[]): void {
  const table = tableOf(number)
  const names = database.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all()
  const kept = new Set(used.map(columnOf))
  for (const name of names) {
    if (/^k\d+$/.test(name) && !kept.has(name)) database.exec(`UPDATE ${table} SET ${name} = NULL WHERE ${name} IS NOT NULL`)
  }
}
