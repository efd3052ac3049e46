import { lstat, opendir } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '@agent-service/sdk/services/clock'
import { orAbsent } from './disk/index.js'
import { isHandle } from './file-tree.js'
import { incomingName } from './incoming-folder.js'
import { uploadPartOf } from './upload-record.js'

/** The unit in which the system counts what a file occupies. */
const blockBytes = 512

/** How many bytes of an unfinished upload are still to come. */
export interface PendingUpload {
  readonly handle: string
  readonly bytes: number
}

/** Unfinished uploads by user and name. */
export type UploadsByKey = ReadonlyMap<string, PendingUpload>

/** The key of an upload; `name` is that of its bytes in the incoming folder. */
export const uploadKey = (handle: string, name: string): string => `${handle}/${name}`

/**
 * What is still to come of the unfinished uploads of all users: as this process says it, and from
 * time to time as it is found on the disk, where other nodes and those before a restart began some.
 */
export interface PendingUploads {
  all(): UploadsByKey
  /** So many bytes of an upload are still to come; 0 once it has ended. */
  set(handle: string, name: string, bytes: number): void
  /** How long ago the disk was looked through, in milliseconds. */
  age(): number
  /** Looks through the disk, at most once at a time. What is said meanwhile is newer than what is found. */
  count(): Promise<void>
}

/** `usersFolder` is `{storage.data_dir}/users`. */
export function createPendingUploads(options: {
  readonly usersFolder: string
  readonly clock: Pick<Clock, 'monotonic'>
  /** Default: those on the disk. */
  readonly find?: typeof findUploads
}): PendingUploads {
  const { usersFolder, clock, find = findUploads } = options
  let uploads = new Map<string, PendingUpload>()
  let saidMeanwhile: Map<string, PendingUpload> | undefined
  let countedAt = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | undefined

  const countNow = async (): Promise<void> => {
    const at = clock.monotonic()
    const said = new Map<string, PendingUpload>()
    saidMeanwhile = said
    try {
      const found = await find(usersFolder)
      // One that has ended meanwhile stays with 0 bytes, in place of what was found.
      uploads = new Map([...found, ...said])
      countedAt = at
    } finally {
      saidMeanwhile = undefined
      counting = undefined
    }
  }

  return {
    all: () => uploads,
    set(handle, name, bytes) {
      const key = uploadKey(handle, name)
      saidMeanwhile?.set(key, { handle, bytes })
      if (bytes > 0) uploads.set(key, { handle, bytes })
      else uploads.delete(key)
    },
    age: () => clock.monotonic() - countedAt,
    count() {
      counting ??= countNow()
      return counting
    },
  }
}

/** Those on the disk: their length is set, and blocks come with their bytes. */
export async function findUploads(usersFolder: string): Promise<UploadsByKey> {
  const found = new Map<string, PendingUpload>()
  for await (const handle of namesIn(usersFolder)) {
    if (!isHandle(handle)) continue
    const incoming = path.join(usersFolder, handle, incomingName)
    for await (const name of namesIn(incoming)) {
      if (uploadPartOf(name)?.isRecord !== false) continue
      const file = await orAbsent(lstat(path.join(incoming, name)))
      if (file?.isFile()) found.set(uploadKey(handle, name), { handle, bytes: Math.max(0, file.size - file.blocks * blockBytes) })
    }
  }
  return found
}

async function* namesIn(folder: string): AsyncGenerator<string, void, undefined> {
  const listing = await orAbsent(opendir(folder))
  if (listing) for await (const { name } of listing) yield name
}
