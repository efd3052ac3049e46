import { ServiceError } from '@agent-service/sdk'
import { userFileConflictError, userPathInvalidError, userStorageFullError } from '@agent-service/sdk/services/user-files'
import { errorCode } from '../disk/index.js'

const conflicts: ReadonlyMap<string, string> = new Map([
  ...['EACCES', 'EPERM', 'EROFS'].map((code) => [code, 'may not be changed by the service'] as const),
  ...['ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ELOOP'].map((code) => [code, 'was changed meanwhile; try again'] as const),
  ['EINVAL', 'cannot be moved into itself'],
  ['ENOTEMPTY', 'is a folder that is not empty'],
])

/** What a change of files failed with, in words that its caller can act on. Anything else than a file system's refusal stays as it is. */
function fileError(path: string, error: unknown): unknown {
  if (ServiceError.isInstance(error)) return error
  const code = errorCode(error)
  const reason = conflicts.get(code)
  if (reason !== undefined) return userFileConflictError.create({ path, reason }, { cause: error })
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return userStorageFullError.create({ path }, { cause: error })
  if (code === 'ENAMETOOLONG')
    return userPathInvalidError.create({ path, problem: 'is longer than the file system takes' }, { cause: error })
  return error
}

/** Does a change; its errors are told by {@link fileError}. */
export async function changing<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw fileError(path, error)
  }
}
