import { defineError, ServiceError } from '@agent-service/sdk'
import { databaseCorruptError, databaseForbiddenError, storageFullError } from '@agent-service/sdk/contracts/database-driver'
import { codeOf } from './file-system.js'

/** A write failed for another reason. */
export const writeFailedError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'database_write_failed',
  status: 500,
  title: 'Database write failed',
  message: ({ path, reason }) => `Writing to the database at ${path} failed: ${reason}. Check the disk and its log.`,
})

/** Whether a write was refused for lack of space. */
export const isStorageFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error))

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The error for a write that failed. */
export function toWriteError(error: unknown, path: string): ServiceError {
  if (ServiceError.isInstance(error)) return error
  if (isStorageFull(error)) return storageFullError.create({ path }, { cause: error })
  return writeFailedError.create({ path, reason: reasonOf(error) }, { cause: error })
}

/** The error for a file that could not be read: no permission by its code, else damage. */
export function toOpenError(error: unknown, path: string): ServiceError {
  if (ServiceError.isInstance(error)) return error
  if (isStorageFull(error)) return storageFullError.create({ path }, { cause: error })
  if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)))
    return databaseForbiddenError.create({ path, reason: reasonOf(error) }, { cause: error })
  return databaseCorruptError.create({ path, reason: reasonOf(error) }, { cause: error })
}
