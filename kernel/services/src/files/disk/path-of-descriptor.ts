import { readlink, realpath, stat } from 'node:fs/promises'
import path from 'node:path'

/**
 * Returns the current path of an open descriptor; `undefined` if the system does not provide it.
 */
export type PathOfDescriptor = (descriptor: number) => Promise<string | undefined>

/** Linux provides the path in /proc; other systems do not. */
export const pathOfDescriptor: PathOfDescriptor = async (descriptor) => {
  if (process.platform !== 'linux') return undefined
  try {
    return await readlink(`/proc/self/fd/${descriptor}`)
  } catch {
    return undefined
  }
}

export interface FileIdentity {
  readonly dev: bigint
  readonly ino: bigint
}

/**
 * For systems that do not provide the path of a descriptor: the real path, if it leads to the open
 * file both before and after.
 */
export async function realPathOf(wanted: string, found: FileIdentity): Promise<string | undefined> {
  const before = await orAbsent(realpath(wanted))
  if (before === undefined) return undefined
  const now = await orAbsent(stat(before, { bigint: true }))
  const after = await orAbsent(realpath(wanted))
  return now?.dev === found.dev && now.ino === found.ino && before === after ? before : undefined
}

/** Whether a path lies inside a folder and is not the folder itself. Both are real paths. */
export const isBelow = (inner: string, folder: string): boolean => inner.startsWith(`${folder}${path.sep}`)

/**
 * The file does not exist or is not accessible. Other errors (too many open files, a failing disk)
 * are failures of the service.
 */
const absentCodes: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EPERM',
  'ENXIO',
  'ENAMETOOLONG',
  'EISDIR',
  'EINVAL',
])

/** The code of a file system error; empty for other errors. */
export const errorCode = (error: unknown): string => String((error as NodeJS.ErrnoException | undefined)?.code ?? '')

/**
 * Returns `undefined` instead of an error that means that the file does not exist or is not
 * accessible.
 */
export async function orAbsent<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise
  } catch (error) {
    if (absentCodes.has(errorCode(error))) return undefined
    throw error
  }
}
