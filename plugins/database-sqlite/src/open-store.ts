import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { applicationId, readCollections, readRevision, schema, schemaVersion, tableOf } from './schema.js'
import SqliteDatabase from './sqlite-library.js'
import { filesOf, storeFileIn, storeFileName } from './store-file.js'
import { textTableOf } from './text-index.js'
import type { WriterData } from './writer-protocol.js'

/**
 * Opens the file for writing, creating it if it does not exist. Blocks, so it is called in the
 * writer's thread.
 * @throws what SQLite or Node throws, with their codes; an error with the member `newerVersion` for
 * a file of a newer version.
 */
export function openStoreForWriting({ folder, synchronous, secureDelete }: WriterData): Database {
  const file = storeFileIn(folder)
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK)
  else createStore(folder)
  const database = new SqliteDatabase(file, { fileMustExist: true, timeout: 5000 })
  try {
    checkHeader(database)
    database.pragma('journal_mode = WAL')
    database.pragma(`synchronous = ${synchronous}`)
    database.pragma(`secure_delete = ${secureDelete}`)
    database.pragma('wal_autocheckpoint = 0')
    database.pragma('journal_size_limit = 67108864')
    database.pragma('cache_size = -8000')
    database.pragma('mmap_size = 0')
    // What a crash left in the log goes into the file now, so that a file that is too short for its
    // pages shows.
    database.pragma('wal_checkpoint(TRUNCATE)')
    readRevision(database)
    for (const { number, layout } of readCollections(database)) {
      database.prepare(`SELECT id FROM ${tableOf(number)} LIMIT 1`).get()
      if (layout.search) database.prepare(`SELECT rowid FROM ${textTableOf(number)} LIMIT 1`).get()
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * A new file becomes visible under its name when it is whole, so an empty or short file is always a
 * damaged one.
 */
function createStore(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name === `${storeFileName}-wal` || name === `${storeFileName}-shm`) {
      throw corrupt(`${name} exists, ${storeFileName} does not`)
    }
  }
  const file = `${storeFileIn(folder)}.new`
  for (const leftover of filesOf(file)) rmSync(leftover, { force: true })
  // SQLite gives the files that it makes beside this one the same mode.
  closeSync(openSync(file, 'wx', 0o600))
  const database = new SqliteDatabase(file)
  try {
    // One sync of the whole, below, before it gets its name; what a crash leaves before that is
    // thrown away.
    database.pragma('synchronous = OFF')
    database.pragma('journal_mode = MEMORY')
    database.pragma('page_size = 4096')
    database.pragma(`application_id = ${applicationId}`)
    database.pragma(`user_version = ${schemaVersion}`)
    database.exec(`BEGIN; ${schema}; COMMIT`)
    database.pragma('journal_mode = WAL')
  } finally {
    database.close()
  }
  sync(file)
  renameSync(file, storeFileIn(folder))
  sync(folder)
}

function checkHeader(database: Database): void {
  const version = Number(database.pragma('user_version', { simple: true }))
  const application = Number(database.pragma('application_id', { simple: true }))
  if (application !== applicationId) throw corrupt('it is a database of another program')
  if (version > schemaVersion) throw Object.assign(new Error(`version ${version}`), { newerVersion: version })
  if (version !== schemaVersion) throw corrupt(`its version is ${version}, which does not exist`)
  const pages = Number(database.pragma('page_count', { simple: true }))
  if (pages === 0) throw corrupt('the file is empty')
}

/** An error that is mapped to damage. */
function corrupt(reason: string): Error {
  return Object.assign(new Error(reason), { code: 'SQLITE_CORRUPT' })
}

/** Makes a file's bytes, or a folder's names, durable. */
export function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Tries to put bytes on the disk, as a commit would. Throws when it cannot. */
export function probeRoom(folder: string, writeFile: (path: string, bytes: Buffer) => void): void {
  const path = join(folder, `${storeFileName}.probe`)
  try {
    writeFile(path, Buffer.alloc(256 * 1024))
  } finally {
    rmSync(path, { force: true })
  }
}
