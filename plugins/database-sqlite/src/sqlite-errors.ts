import { defineError, ServiceError } from '@agent-service/sdk'
import { databaseCorruptError, databaseForbiddenError, storageFullError } from '@agent-service/sdk/contracts/database-driver'
import { hasCode, isStorageFull, toWireError, type WireError } from './wire-error.js'

/**
 * The thread that writes ended while a commit was with it. Whether that commit became durable is
 * unknown.
 */
export const writerStoppedError = defineError<{ readonly reason: string }>({
  code: 'database_writer_stopped',
  status: 503,
  title: 'Database writer stopped',
  message: ({ reason }) =>
    `The thread that writes to the database ended unexpectedly: ${reason}. Whether this commit was written is unknown; read before repeating it.`,
})

/** SQLite refused a write for another reason. */
export const writeFailedError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'database_write_failed',
  status: 500,
  title: 'Database write failed',
  message: ({ path, reason }) => `Writing to the database at ${path} failed: ${reason}. Check the disk and its log.`,
})

/** A search failed for another reason. */
export const searchFailedError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'database_search_failed',
  status: 500,
  title: 'Search failed',
  message: ({ path, reason }) => `Searching the database at ${path} failed: ${reason}. Try again, and check the disk and its log.`,
})

/**
 * Maps an error of SQLite to one of the contract or of this plugin.
 * @param nameless - For any other reason.
 */
export function toServiceError(
  error: WireError,
  path: string,
  nameless: typeof writeFailedError | typeof searchFailedError = writeFailedError,
): ServiceError {
  const { code, message } = error
  const options = { cause: Object.assign(new Error(message), { code }) }
  const reason = code === '' ? message : `${message} (${code})`
  if (isStorageFull(error)) return storageFullError.create({ path }, options)
  if (hasCode(code, 'SQLITE_CORRUPT', 'SQLITE_NOTADB')) return databaseCorruptError.create({ path, reason }, options)
  if (hasCode(code, 'EACCES', 'EPERM', 'EROFS', 'SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM'))
    return databaseForbiddenError.create({ path, reason }, options)
  return nameless.create({ path, reason }, options)
}

/** Runs a read; what SQLite throws becomes an error of the contract. */
export function mapped<Result>(path: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (ServiceError.isInstance(error)) throw error
    const wire = toWireError(error)
    throw wire.code.startsWith('SQLITE_') ? toServiceError(wire, path) : error
  }
}
