import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'

/** The first version of Node-API that release 13 of better-sqlite3 runs on: that of Node 22.14. */
const nodeApiOfRelease13 = 10

/**
 * The name under which the release of better-sqlite3 for a version of Node-API is installed.
 * Release 12 is the last for Node 20. Made for Node 24.19 or a later one it ends the process as
 * soon as a statement is collected (`RemoveEnvironmentCleanupHook`, its issue 1515); release 13 is
 * made on Node-API.
 */
export const sqliteLibraryFor = (nodeApi: string | undefined): string =>
  Number(nodeApi) >= nodeApiOfRelease13 ? 'better-sqlite3-node-api' : 'better-sqlite3'

function loadLibrary(): typeof Sqlite {
  const name = sqliteLibraryFor(process.versions['napi'])
  try {
    return createRequire(import.meta.url)(name) as typeof Sqlite
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    throw new Error(`SQLite does not load under Node ${process.version} (${reason}). Install the packages again with this Node.`, { cause })
  }
}

/** better-sqlite3, in the release for this Node. */
const SqliteDatabase: typeof Sqlite = loadLibrary()
export default SqliteDatabase
