import {
  type UserFileConditions,
  type UserFileEntry,
  userFileChangedError,
  userFileConflictError,
} from '@agent-service/sdk/services/user-files'

/**
 * Checks that the entry at a path is the one that the caller has seen (RFC 9110, section 13.1; weak
 * etags never match in `If-Match`). @throws `precondition_failed`
 */
export function checkConditions(path: string, found: UserFileEntry | undefined, { ifMatch, ifNoneMatch }: UserFileConditions): void {
  const fits =
    (ifMatch === undefined || (ifMatch.trim() === '*' ? found?.kind === 'file' : has(ifMatch, found?.etag))) &&
    (ifNoneMatch === undefined || (ifNoneMatch.trim() === '*' ? found === undefined : !has(ifNoneMatch.replaceAll('W/', ''), found?.etag)))
  if (!fits) throw userFileChangedError.create({ path })
}

const has = (list: string, etag: string | undefined): boolean => list.split(',').some((each) => each.trim() === etag)

/**
 * Checks that a file can be written at a path: there is nothing or a file. @throws `file_conflict`
 */
export function checkReplaceable(path: string, found: UserFileEntry | undefined, isFile: boolean): void {
  if (!found || isFile) return
  const what = { file: 'a file', folder: 'a folder', link: 'a symbolic link', other: 'not a regular file' }[found.kind]
  throw userFileConflictError.create({ path, reason: `is ${what}; choose another name, or remove it first` })
}
