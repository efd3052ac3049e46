import { readlink, realpath, stat } from 'node:fs/promises'
import path from 'node:path'

/** Gives the path of what a descriptor has open, as the system sees it now; `undefined` where the system does not tell. */
export type PathOfDescriptor = (descriptor: number) => Promise<string | undefined>

/** Linux tells in /proc, other systems do not. */
export const pathOfDescriptor: PathOfDescriptor = async (descriptor) => {
  if (process.platform !== 'linux') return undefined
  try {
    return await readlink(`/proc/self/fd/${descriptor}`)
  } catch {
    return undefined
  }
}

/** What a file is told apart by, whatever it is called. */
export interface FileIdentity {
  readonly dev: bigint
  readonly ino: bigint
}

/** Where the system does not tell the path of a descriptor: the path's real one, if it leads to the very file that is open, before and after. */
export async function realPathOf(wanted: string, found: FileIdentity): Promise<string | undefined> {
  const before = await orAbsent(realpath(wanted))
  if (before === undefined) return undefined
  const now = await orAbsent(stat(before, { bigint: true }))
  const after = await orAbsent(realpath(wanted))
  return now?.dev === found.dev && now.ino === found.ino && before === after ? before : undefined
}

/** Whether a path lies inside of a folder, which it does not by being the folder. Both are real paths. */
export const isBelow = (inner: string, folder: string): boolean => inner.startsWith(`${folder}${path.sep}`)

/** Not to be found as such, or not for us. Anything else (too many open files, a failing disk) is the service's own trouble. */
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

/** The code of a file system's error; empty for other errors. */
export const errorCode = (error: unknown): string => String((error as NodeJS.ErrnoException | undefined)?.code ?? '')

/** `undefined` in place of an error that says that nothing is there for us. */
export async function orAbsent<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise
  } catch (error) {
    if (absentCodes.has(errorCode(error))) return undefined
    throw error
  }
}
