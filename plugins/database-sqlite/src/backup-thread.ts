import { parentPort, workerData } from 'node:worker_threads'
import { sync } from './open-store.js'
import SqliteDatabase from './sqlite-library.js'
import { storeFileIn } from './store-file.js'
import { toWireError, type WireError } from './wire-error.js'

/** What the thread is told. */
export interface BackupData {
  readonly file: string
  readonly folder: string
}

/** What the thread says. */
export type BackupMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: WireError }

/** Pages copied between two messages, 2 MiB. */
const pagesAStep = 512

const port = parentPort
if (!port) throw new Error('A backup runs in a thread of its own.')
const { file, folder } = workerData as BackupData
const say = (message: BackupMessage): void => port.postMessage(message)

try {
  const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: 5000 })
  try {
    // The transaction holds one moment: without it SQLite begins the copy anew after each commit, and under load never ends.
    database.exec('BEGIN')
    database.prepare('SELECT revision FROM store').get()
    const target = storeFileIn(folder)
    await database.backup(target, {
      progress({ totalPages, remainingPages }) {
        say({ kind: 'progress', done: totalPages - remainingPages, total: totalPages })
        return pagesAStep
      },
    })
    sync(target)
    sync(folder)
    say({ kind: 'done' })
  } finally {
    database.close()
  }
} catch (error) {
  say({ kind: 'failed', error: toWireError(error) })
}
