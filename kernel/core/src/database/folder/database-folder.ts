import { access, constants, mkdir, stat } from 'node:fs/promises'
import { databaseForbiddenError } from '@agent-service/sdk/contracts/database-driver'
import { acquireFolderLock, type FolderLock } from './folder-lock.js'

/**
 * Creates the folder of an embedded database for this user alone if it is missing, and takes its
 * lock.
 * @throws `database_forbidden` if it is not a folder or cannot be read and written,
 * `database_locked` if another process has it.
 */
export async function ownDatabaseFolder(path: string, options: { readonly now: () => number }): Promise<FolderLock> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (!(await stat(path)).isDirectory()) throw databaseForbiddenError.create({ path, reason: 'it is not a folder' })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return await acquireFolderLock(path, options)
  } catch (error) {
    const reason = reasonOf(error as NodeJS.ErrnoException)
    if (reason) throw databaseForbiddenError.create({ path, reason }, { cause: error })
    throw error
  }
}

function reasonOf({ code, path, syscall }: NodeJS.ErrnoException): string | undefined {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `the operating system refuses access to ${path ?? 'it'} (${syscall ?? code})`
    case 'EROFS':
      return 'its file system is read-only'
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path ?? 'it'} is not a folder`
    case 'EISDIR':
      return `${path ?? 'its lock'} is a folder where a file is expected`
    case 'ELOOP':
      return `${path ?? 'it'} is a dangling symbolic link`
    default:
      return undefined
  }
}
