import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSystemClock } from '@agent-service/kernel-core/clock'
import { quietLog } from '@agent-service/kernel-core/database/testing'
import { createPlainQuotas } from '@agent-service/kernel-core/quotas/testing'
import { ServiceError } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { OpenUserFile, UserFiles, UserFolder } from '@agent-service/sdk/services/user-files'
import { type PathOfDescriptor, pathOfDescriptor } from '../disk/index.js'
import { createStoredBytes } from '../stored-bytes.js'
import { createUserFiles } from '../user-files.js'

/** The content of another agent's file, which must never be read or changed. */
export const canary = 'canary of somebody else'

/** Files of `ada` in a temporary folder, next to a folder of another agent. */
export interface FolderOfFiles {
  readonly files: UserFiles
  /** `workspaces/agent-1` of `ada`. */
  readonly folder: UserFolder
  /** Its path on the disk; the folder exists. */
  readonly root: string
  /** The folder of `ada`. */
  readonly home: string
  /** A folder outside `root` with the file `f`, whose content is the canary. */
  readonly outside: string
  /** The files outside: names and contents. */
  outsideNow(): Promise<unknown>
  /** The names left in the incoming folder. */
  incoming(): Promise<readonly string[]>
  remove(): Promise<void>
}

/**
 * Makes it. `locate` replaces the system's path of an open file; `max` is the limit of bytes of a
 * user.
 */
export async function makeFolderOfFiles(
  locate?: PathOfDescriptor,
  { max, clock = createSystemClock() }: { readonly max?: number; readonly clock?: Clock } = {},
): Promise<FolderOfFiles> {
  const base = await mkdtemp(path.join(tmpdir(), 'agent-service-files-'))
  const usersFolder = path.join(base, 'users')
  const home = path.join(usersFolder, 'ada')
  const root = path.join(home, 'workspaces', 'agent-1')
  const outside = path.join(home, 'workspaces', 'agent-2')
  for (const each of [root, outside]) await mkdir(each, { recursive: true })
  await writeFile(path.join(outside, 'f'), canary)
  const stored = createStoredBytes({ usersFolder, max, quotas: createPlainQuotas(), clock, log: quietLog })
  const files = createUserFiles({ usersFolder, stored, now: () => clock.now(), ...(locate ? { pathOfDescriptor: locate } : {}) })
  return {
    files,
    folder: files.folder({ handle: 'ada' }, { subsystem: 'workspaces', path: 'agent-1' }),
    root,
    home,
    outside,
    outsideNow: () => contentsOf(outside),
    incoming: () => readdir(path.join(home, '.incoming')).catch(() => []),
    remove: () => rm(base, { recursive: true, force: true }),
  }
}

/** The files of a folder: names and contents. */
export async function contentsOf(place: string): Promise<unknown> {
  const names = await readdir(place, { recursive: true })
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(path.join(place, name), 'utf8')])))
}

/** Text as a content. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
/** A content as text. */
export const textOf = (content: { readonly bytes: Uint8Array } | undefined): string | undefined =>
  content && new TextDecoder().decode(content.bytes)
/** The whole content of an open file, as text. */
export async function streamedText(file: OpenUserFile): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of file.stream()) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
/** The number of open descriptors of the process; 0 if the system does not provide it. */
export const openDescriptors = async (): Promise<number> => (process.platform === 'linux' ? (await readdir('/proc/self/fd')).length : 0)

/** The code of the error that a promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    if (ServiceError.isInstance(error)) return error.code
    throw error
  }
  return 'no error'
}

/** Systems that provide the path of a descriptor, and systems that do not. */
export const systems: readonly (readonly [string, PathOfDescriptor])[] = [
  ['with paths of descriptors', pathOfDescriptor],
  ['without paths of descriptors', async () => undefined],
]
