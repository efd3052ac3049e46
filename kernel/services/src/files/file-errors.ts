import { ServiceError } from '@agent-service/sdk'
import { userFileConflictError, userPathInvalidError, userStorageFullError } from '@agent-service/sdk/services/user-files'
import { errorCode } from './disk/index.js'

const conflicts: ReadonlyMap<string, string> = new Map([
  ...['EACCES', 'EPERM', 'EROFS'].map((code) => [code, 'cannot be changed by the service: permission denied'] as const),
  ...['ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ELOOP'].map((code) => [code, 'was changed during the operation; try again'] as const),
  ['EINVAL', 'cannot be moved into itself'],
  ['ENOTEMPTY', 'is a folder that is not empty'],
])

/**
 * The error for a failed change of a file, with a message that the caller can act on. Errors that
 * are not of the file system stay as they are.
 */
function fileError(path: string, error: unknown): unknown {
  if (ServiceError.isInstance(error)) return error
  const code = errorCode(error)
  const reason = conflicts.get(code)
  if (reason !== undefined) return userFileConflictError.create({ path, reason }, { cause: error })
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return userStorageFullError.create({ path }, { cause: error })
  if (code === 'ENAMETOOLONG')
    return userPathInvalidError.create({ path, problem: 'is longer than the file system permits' }, { cause: error })
  return error
}

/** Does a change, and converts its errors by {@link fileError}. */
export async function changing<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw fileError(path, error)
  }
}
