import { lstat, opendir } from 'node:fs/promises'
import path from 'node:path'
import { roomOf } from '@agent-service/kernel-core/disk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { userStorageFullError } from '@agent-service/sdk/services/user-files'
import { orAbsent } from './disk/index.js'
import { isHandle } from './file-tree.js'
import { incomingName } from './incoming-folder.js'
import { uploadPartOf } from './upload-record.js'

/** A count of unfinished uploads of at most this age is not renewed before a refusal, in milliseconds. */
const freshMs = 10_000
/** An older count is renewed before it is used: other nodes begin and end uploads, too. */
const oldMs = 600_000
/** What the unfinished uploads of one user may hold of the room that those of others leave. */
const pendingShare = 0.75
/** The unit in which the system counts what a file occupies. */
const blockBytes = 512

/** Room that is held for a file that is being written. */
export interface RoomHold {
  /** So many bytes are on the disk, where the system counts them. */
  written(bytes: number): void
  /** May be called again. */
  release(): void
}

/**
 * The room on the disk of the users' files: what is free, less a reserve, less what writes and
 * unfinished uploads have announced and not written yet. Whatever announces a size asks here first.
 */
export interface AnnouncedRoom {
  /**
   * Holds room. `pendingOf` names the user whose upload in pieces it is for: those of one user never
   * hold all of it. @throws `storage_full`
   */
  take(bytes: number, options: { readonly path: string; readonly pendingOf?: string }): Promise<RoomHold>
  /** So many bytes of an unfinished upload are still to come; 0 once it has ended. */
  pending(handle: string, name: string, bytes: number): void
}

interface Pending {
  readonly handle: string
  readonly bytes: number
}

/** `usersFolder` is `{storage.data_dir}/users`. */
export function createAnnouncedRoom(options: {
  readonly usersFolder: string
  readonly clock: Pick<Clock, 'monotonic'>
  /** Default: of the disk. */
  readonly measure?: typeof roomOf
}): AnnouncedRoom {
  const { usersFolder, clock, measure = roomOf } = options
  let held = 0
  let uploads = new Map<string, Pending>()
  /** What was said while the disk was looked through, which is newer than what is found. */
  let saidMeanwhile: Map<string, Pending> | undefined
  let countedAt = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | undefined

  const countNow = async (): Promise<void> => {
    const at = clock.monotonic()
    const said = new Map<string, Pending>()
    saidMeanwhile = said
    try {
      const found = await unfinishedUploads(usersFolder)
      uploads = new Map([...found, ...said].filter(([, { bytes }]) => bytes > 0))
      countedAt = at
    } finally {
      saidMeanwhile = undefined
      counting = undefined
    }
  }
  const count = (): Promise<void> => {
    counting ??= countNow()
    return counting
  }
  /** What is left for bytes of this kind. */
  const leftFor = (usable: number, pendingOf: string | undefined): number => {
    let [own, others] = [0, 0]
    for (const { handle, bytes } of uploads.values()) {
      if (handle === pendingOf) own += bytes
      else others += bytes
    }
    const left = Math.max(0, usable - held - others)
    return pendingOf === undefined ? left : Math.max(0, Math.floor(left * pendingShare) - own)
  }

  return {
    async take(bytes, { path: file, pendingOf }) {
      if (clock.monotonic() - countedAt > oldMs) await count()
      for (let isAgain = false; ; isAgain = true) {
        const { usable } = await measure(usersFolder)
        const left = leftFor(usable, pendingOf)
        if (bytes <= left) break
        if (isAgain || clock.monotonic() - countedAt <= freshMs) throw userStorageFullError.create({ path: file, needed: bytes, left })
        await count()
      }
      let rest = bytes
      held += rest
      const setRest = (next: number): void => {
        held += next - rest
        rest = next
      }
      return { written: (done) => setRest(Math.max(0, Math.min(rest, bytes - done))), release: () => setRest(0) }
    },
    pending(handle, name, bytes) {
      const key = `${handle}/${name}`
      const entry: Pending = { handle, bytes }
      saidMeanwhile?.set(key, entry)
      if (bytes > 0) uploads.set(key, entry)
      else uploads.delete(key)
    },
  }
}

/** How much of each unfinished upload is still to come: its length is set, and blocks come with its bytes. */
async function unfinishedUploads(usersFolder: string): Promise<Map<string, Pending>> {
  const found = new Map<string, Pending>()
  for await (const handle of namesIn(usersFolder)) {
    if (!isHandle(handle)) continue
    const incoming = path.join(usersFolder, handle, incomingName)
    for await (const name of namesIn(incoming)) {
      if (uploadPartOf(name)?.isRecord !== false) continue
      const file = await orAbsent(lstat(path.join(incoming, name)))
      if (file?.isFile()) found.set(`${handle}/${name}`, { handle, bytes: Math.max(0, file.size - file.blocks * blockBytes) })
    }
  }
  return found
}

async function* namesIn(folder: string): AsyncGenerator<string, void, undefined> {
  const listing = await orAbsent(opendir(folder))
  if (listing) for await (const { name } of listing) yield name
}
