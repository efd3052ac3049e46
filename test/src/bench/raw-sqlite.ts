import { SqliteDatabase as Sqlite } from '../support/sqlite.js'

/**
 * better-sqlite3 by hand: one table, one index, every transaction synced, as a careful person would
 * write it.
 */
export interface RawStore {
  /** One transaction for all of them. */
  insert(rows: readonly { readonly id: string; readonly user: string; readonly created: string; readonly body: string }[]): void
  page(user: string, limit: number): readonly string[]
  close(): void
}

export function openRawStore(file: string): RawStore {
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(
    'CREATE TABLE IF NOT EXISTS documents (id TEXT PRIMARY KEY, user_id TEXT, created_at TEXT, body TEXT); CREATE INDEX IF NOT EXISTS by_user ON documents (user_id, created_at)',
  )
  const insert = database.prepare('INSERT INTO documents (id, user_id, created_at, body) VALUES (?, ?, ?, ?)')
  const select = database.prepare<[string, number], { readonly body: string }>(
    'SELECT body FROM documents WHERE user_id = ? ORDER BY created_at LIMIT ?',
  )
  return {
    insert: database.transaction((rows: Parameters<RawStore['insert']>[0]) => {
      for (const row of rows) insert.run(row.id, row.user, row.created, row.body)
    }),
    page: (user, limit) => select.all(user, limit).map((row) => row.body),
    close: () => void database.close(),
  }
}
