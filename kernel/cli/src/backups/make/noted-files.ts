import type { NotedFile } from '@agent-service/sdk/services/backups'
import { changesTooFast } from '../archive/archive-writer.js'
import { backupFileError } from '../errors.js'

/** How many files are named; all are counted. */
const maxNoted = 100

/** Whose file it is by its path in a backup, and the path as that user knows it. */
export function ownerOf(path: string): Pick<NotedFile, 'user' | 'path'> {
  const [root, user, ...rest] = path.split('/')
  return root === 'users' && user !== undefined && rest.length > 0 ? { user, path: rest.join('/') } : { user: null, path }
}

/**
 * An error of a file of the service, with whose file it is. Errors of the backup's own disk stay as they are.
 */
export function nameFile(error: unknown, { path, source }: { readonly path: string; readonly source: string }): unknown {
  const { code, path: at, syscall, message } = error as NodeJS.ErrnoException
  const isOfSource = at === source || (at === undefined && (syscall === 'read' || code === undefined))
  return isOfSource ? backupFileError.create({ ...ownerOf(path), reason: code ?? message }, { cause: error }) : error
}

/** What a program can do to the files of its user: take rights away, nest folders, hold a lease, and write again and again. */
const causesOfUser: readonly string[] = ['EACCES', 'EPERM', 'ENAMETOOLONG', 'ELOOP', 'EAGAIN', changesTooFast]

/**
 * Whether {@link nameFile} named a file of a user that a program of that user can have made unreadable. A fault of the disk or
 * the machine is none of the user's, and what it takes is not left out of a backup.
 */
export const isByUser = (named: unknown, path: string): boolean =>
  backupFileError.isInstance(named) &&
  ownerOf(path).user !== null &&
  causesOfUser.includes((named.details as { readonly reason: string }).reason)

/** The files that a report has to name, with whose they are. */
export function createNotedFiles() {
  const noted: NotedFile[] = []
  const counts = { changing: 0, too_sparse: 0, unreadable: 0 }
  return {
    add(path: string, reason: NotedFile['reason']): void {
      counts[reason] += 1
      if (noted.length < maxNoted) noted.push({ ...ownerOf(path), reason })
    },
    list: (): readonly NotedFile[] => noted,
    count: (reason: NotedFile['reason']): number => counts[reason],
  }
}
