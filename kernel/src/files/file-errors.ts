import { ServiceError } from '@agent-service/sdk'
import { userFileConflictError, userPathInvalidError, userStorageFullError } from '@agent-service/sdk/services/user-files'
import { errorCode } from '../disk/index.js'

/** What a change of files failed with, in words that its caller can act on. Anything else than a file system's refusal stays as it is. */
export function fileError(path: string, error: unknown): unknown {
  if (ServiceError.isInstance(error)) return error
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return userStorageFullError.create({ path }, { cause: error })
    case 'ENAMETOOLONG':
      return userPathInvalidError.create({ path, problem: 'is longer than the file system takes' }, { cause: error })
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return userFileConflictError.create({ path, reason: 'may not be changed by the service' }, { cause: error })
    case 'EINVAL':
      return userFileConflictError.create({ path, reason: 'cannot be moved into itself' }, { cause: error })
    case 'ENOTEMPTY':
      return userFileConflictError.create({ path, reason: 'is a folder that is not empty' }, { cause: error })
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR':
    case 'ELOOP':
      return userFileConflictError.create({ path, reason: 'was changed meanwhile; try again' }, { cause: error })
    default:
      return error
  }
}

/** Does a change; its errors are told by {@link fileError}. */
export async function changing<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw fileError(path, error)
  }
}
