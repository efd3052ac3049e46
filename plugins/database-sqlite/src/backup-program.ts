import { closeSync, openSync } from 'node:fs'
import { sync } from './open-store.js'
import SqliteDatabase from './sqlite-library.js'
import { storeFileIn } from './store-file.js'
import { toWireError, type WireError } from './wire-error.js'

/** What the program writes to its output, one JSON value a line. */
export type BackupMessage =
  /** Bytes of the store's file: about what the copy comes to at most. */
  { readonly kind: 'begun'; readonly total: number } | { readonly kind: 'done' } | { readonly kind: 'failed'; readonly error: WireError }

/**
 * Copies a store into a folder: `node backup-program.js <file> <folder>`. A program of its own,
 * since one statement of SQLite does it all, and nothing but the end of its process can interrupt
 * that.
 */
function copy(file: string, folder: string): void {
  const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: 5000 })
  try {
    const pages = Number(database.pragma('page_count', { simple: true }))
    say({ kind: 'begun', total: pages * Number(database.pragma('page_size', { simple: true })) })
    const target = storeFileIn(folder)
    closeSync(openSync(target, 'wx', 0o600))
    // Rewrites every row, of one moment: pages, which contain deleted data, are not copied.
    database.prepare<[string]>('VACUUM INTO ?').run(target)
    sync(target)
    sync(folder)
  } finally {
    database.close()
  }
}

const say = (message: BackupMessage): void => void process.stdout.write(`${JSON.stringify(message)}\n`)

const [file, folder] = process.argv.slice(2)
if (file === undefined || folder === undefined) throw new Error('Expected the file of a store and a folder.')
try {
  copy(file, folder)
  say({ kind: 'done' })
} catch (error) {
  say({ kind: 'failed', error: toWireError(error) })
}
