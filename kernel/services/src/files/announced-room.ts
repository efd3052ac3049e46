import { roomOf } from '@agent-service/kernel-core/disk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { userStorageFullError } from '@agent-service/sdk/services/user-files'
import { createPendingUploads, type findUploads, type UploadsByKey, uploadKey } from './pending-uploads.js'

/** A count of unfinished uploads of at most this age is not renewed before a refusal, in milliseconds. */
const freshMs = 10_000
/** An older count is renewed before it is used: other nodes begin and end uploads, too. */
const oldMs = 600_000
/** What one user may have announced of the room that is left by what others have. */
const userShare = 0.75

/** Room that is held for a file that is being written. */
export interface RoomHold {
  /** So many bytes are on the disk, where the system counts them. */
  written(bytes: number): void
  /** May be called again. */
  release(): void
}

/** What room is held for. */
export interface RoomOptions {
  /** The user. */
  readonly handle: string
  /** For the message of a refusal. */
  readonly path: string
  /**
   * The name of the bytes in the incoming folder, for an upload in pieces: as long as the hold lasts,
   * they are not counted as an unfinished upload besides. {@link AnnouncedRoom.pending} takes over.
   */
  readonly upload?: string
}

/**
 * The room on the disk of the users' files: what is free, less a reserve, less what writes and
 * unfinished uploads have announced and not written yet. Whatever announces a size asks here first.
 * All that one user has announced is at most three quarters of what others leave.
 */
export interface AnnouncedRoom {
  /** Holds room. @throws `storage_full` */
  take(bytes: number, options: RoomOptions): Promise<RoomHold>
  /**
   * So many bytes of an unfinished upload are still to come; 0 once it has ended, or could not be
   * begun.
   */
  pending(handle: string, name: string, bytes: number): void
}

interface Held {
  readonly handle: string
  /** Of an upload in pieces. */
  readonly key: string | undefined
  bytes: number
}

/** `usersFolder` is `{storage.data_dir}/users`. */
export function createAnnouncedRoom(options: {
  readonly usersFolder: string
  readonly clock: Pick<Clock, 'monotonic'>
  /** Default: of the disk. */
  readonly measure?: (folder: string) => ReturnType<typeof roomOf>
  /** Default: those on the disk. */
  readonly find?: typeof findUploads
}): AnnouncedRoom {
  const { usersFolder, measure = roomOf } = options
  const uploads = createPendingUploads(options)
  const holds = new Set<Held>()

  return {
    async take(bytes, { path: file, handle, upload }) {
      if (uploads.age() > oldMs) await uploads.count()
      for (let isAgain = false; ; isAgain = true) {
        const { usable } = await measure(usersFolder)
        // Nothing is awaited between this count and the hold, so that two cannot get the same room.
        const left = leftFor(handle, usable, { holds, uploads: uploads.all() })
        if (bytes <= left) break
        if (isAgain || uploads.age() <= freshMs) throw userStorageFullError.create({ path: file, needed: bytes, left })
        await uploads.count()
      }
      const held: Held = { handle, key: upload === undefined ? undefined : uploadKey(handle, upload), bytes }
      holds.add(held)
      return {
        written(done) {
          held.bytes = Math.max(0, Math.min(held.bytes, bytes - done))
        },
        release: () => void holds.delete(held),
      }
    },
    pending: uploads.set,
  }
}

/** What a user may announce in addition. */
function leftFor(handle: string, usable: number, announced: { readonly holds: ReadonlySet<Held>; readonly uploads: UploadsByKey }): number {
  let [own, others] = [0, 0]
  const add = (holder: string, bytes: number): void => {
    if (holder === handle) own += bytes
    else others += bytes
  }
  const held = new Set<string | undefined>()
  for (const { handle: holder, key, bytes } of announced.holds) {
    add(holder, bytes)
    held.add(key)
  }
  for (const [key, { handle: holder, bytes }] of announced.uploads) if (!held.has(key)) add(holder, bytes)
  return Math.max(0, Math.floor(Math.max(0, usable - others) * userShare) - own)
}
