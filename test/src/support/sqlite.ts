import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'

/**
 * better-sqlite3 in the driver's release for this Node, to read a file directly and to compare
 * with.
 */
export const SqliteDatabase: typeof Sqlite = createRequire(
  createRequire(import.meta.url).resolve('@agent-service/database-sqlite/package.json'),
)(Number(process.versions['napi']) >= 10 ? 'better-sqlite3-node-api' : 'better-sqlite3') as typeof Sqlite
