import { parentPort, workerData } from 'node:worker_threads'
import type { SearchPage } from '@agent-service/sdk/contracts/database-driver'
import { createSearch, type SearchRequest } from './search-sql.js'
import SqliteDatabase from './sqlite-library.js'
import { toWireError, type WireError } from './wire-error.js'

/** The options of the thread. */
export interface SearchData {
  readonly file: string
}

/** Requests to the thread, one after the other. */
export type SearchMessage = { readonly kind: 'search'; readonly request: SearchRequest } | { readonly kind: 'close' }

/** The thread's answers. */
export type SearchReply = { readonly kind: 'page'; readonly page: SearchPage } | { readonly kind: 'failed'; readonly error: WireError }

/**
 * The thread that searches: one step of SQLite may join long lists, for which nothing else should
 * wait.
 */

const port = parentPort
if (!port) throw new Error('Searches run in a thread of their own.')
const { file } = workerData as SearchData

const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: 5000 })
database.pragma('query_only = ON')
database.pragma('cache_size = -8000')
database.pragma('mmap_size = 0')
const search = createSearch(database)

function answer(request: SearchRequest): SearchReply {
  try {
    return { kind: 'page', page: search(request) }
  } catch (error) {
    const { code, message } = toWireError(error)
    // SQLite quotes what it did not understand: a person's words.
    const quotes = code === '' || code === 'SQLITE_ERROR'
    return { kind: 'failed', error: { code, message: quotes ? 'the text index did not answer' : message } }
  }
}

port.on('message', (message: SearchMessage) => {
  if (message.kind === 'search') port.postMessage(answer(message.request))
  else {
    database.close()
    port.close()
  }
})
