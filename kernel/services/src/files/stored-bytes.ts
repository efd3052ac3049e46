import path from 'node:path'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Hold, type Limit, limitReachedError, type Quotas, quotaExceededError } from '@agent-service/sdk/services/quotas'
import type { UserFileUsage } from '@agent-service/sdk/services/user-files'
import { type AnnouncedRoom, createAnnouncedRoom, type RoomHold } from './announced-room.js'
import { measureFolder } from './disk/index.js'
import { incomingName } from './incoming-folder.js'

/** A count of at most this age is not measured again before a refusal, in milliseconds. */
const freshMs = 10_000
/** The same after a removal of unknown size. */
const removedMs = 1_000
/**
 * An older count is measured again in the background: processes of agents and other nodes write
 * too.
 */
const oldMs = 600_000
/** How many users' counts are kept. An evicted count is measured again when it is needed. */
const maxCounts = 10_000

/**
 * Reserved bytes for a file that is being written. {@link ByteReservation.release} ends the
 * reservation.
 */
export interface ByteReservation {
  /**
   * Increases the reservation to so many bytes in total. @throws `quota_exceeded`; the previous
   * reservation stays
   */
  grow(bytes: number): Promise<void>
  /** So many bytes are on the disk: they need no room there any more. */
  written(bytes: number): void
  /** Sets the file's name in the incoming folder, so that it is not counted twice. */
  writeAs(name: string): void
  /** Ends the reservation and counts the stored file with its actual size. */
  store(bytes: number): void
  /** Ends the reservation. May be called again. */
  release(): void
}

/**
 * The size of each user's files, in all subsystems and in the incoming folder. Together with the
 * reservations for current writes it never exceeds the limit, however many writes there are. New
 * content needs room in addition to the old content that it replaces. The size is measured once
 * after a start, and then updated by the service's own writes and removals. It is measured again
 * before a refusal, and periodically.
 */
export interface StoredBytes {
  /**
   * Reserves bytes of the user's limit and of the disk: the one place that is asked before something
   * of a known size is written. `upload` is the name in the incoming folder of the bytes of one that
   * arrives in pieces; {@link StoredBytes.pending} says how many of them are to come once they are
   * stored.
   * @throws `quota_exceeded`, or `storage_full` if the disk has no room for so many bytes
   */
  reserve(handle: string, bytes: number, options: { readonly path: string; readonly upload?: string }): Promise<ByteReservation>
  /**
   * So many bytes of an unfinished upload are still to come; 0 once it has ended, or could not be
   * begun.
   */
  pending(handle: string, name: string, bytes: number): void
  /** The limit of each user. */
  readonly max: number | undefined
  /** Files of so many bytes were removed; without a number, the size is unknown. */
  freed(handle: string, bytes?: number): void
  usage(handle: string): Promise<UserFileUsage>
}

interface Count {
  used: number
  /** By the monotonic clock. */
  measuredAt: number
  /** Something of unknown size was removed. */
  isDoubtful: boolean
  measuring: Promise<void> | undefined
  storedMeanwhile: number
  readonly writing: Set<string>
}

/**
 * Makes the counts. Without `max`, sizes are only measured for {@link StoredBytes.usage}.
 * `usersFolder` is `{storage.data_dir}/users`.
 */
export function createStoredBytes(options: {
  readonly usersFolder: string
  readonly max: number | undefined
  readonly quotas: Quotas
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Pick<Logger, 'warn'>
  /** Default: the bytes of the files below a folder. */
  readonly measureFiles?: typeof measureFolder
  /** Default: of the disk of `usersFolder`. */
  readonly room?: AnnouncedRoom
}): StoredBytes {
  const { usersFolder, max, quotas, clock, log, measureFiles = measureFolder } = options
  const { room = createAnnouncedRoom({ usersFolder, clock }) } = options
  const counts = new Map<string, Count>()
  const ageOf = ({ measuredAt }: Count): number => clock.monotonic() - measuredAt

  const countOf = (handle: string): Count => {
    const known = counts.get(handle)
    if (known) return known
    const fresh: Count = {
      ...{ used: 0, measuredAt: Number.NEGATIVE_INFINITY, isDoubtful: false, measuring: undefined, storedMeanwhile: 0 },
      writing: new Set(),
    }
    counts.set(handle, fresh)
    for (const [other, { measuring, writing }] of counts) {
      if (counts.size <= maxCounts) break
      if (!measuring && writing.size === 0 && other !== handle) counts.delete(other)
    }
    return fresh
  }

  /**
   * Measures one user at most once at a time. Files stored during it are added, even if they were
   * measured; files removed during it count until the next measurement.
   */
  const measure = async (handle: string, count: Count): Promise<void> => {
    count.measuring ??= measureNow(() => measureFiles(path.join(usersFolder, handle), { isExcluded: isBeingWritten(count) }), count, clock)
    await count.measuring
  }

  const limit: Limit | undefined =
    max === undefined
      ? undefined
      : quotas.limit({
          name: 'stored-bytes',
          counts: 'bytes of files being written',
          maxPerHolder: (holder) => Math.max(0, max - (counts.get(holder.slice(holderPrefix.length))?.used ?? max)),
        })

  /** Takes room; measures again before it refuses. */
  const taking = async <Result>(handle: string, count: Count, take: () => Result): Promise<Result> => {
    for (let isMeasured = false; ; isMeasured = true) {
      try {
        return take()
      } catch (error) {
        if (!limitReachedError.isInstance(error) || max === undefined) throw error
        if (isMeasured || ageOf(count) < (count.isDoubtful ? removedMs : freshMs))
          throw quotaExceededError.create({ counts: 'bytes of files', max, used: count.used }, { cause: error })
        await measure(handle, count)
      }
    }
  }

  return {
    max,
    pending: room.pending,
    async reserve(handle, bytes, options) {
      const takeRoom = (): Promise<RoomHold> => room.take(bytes, { ...options, handle })
      if (!limit) return unlimited(await takeRoom(), (stored) => addTo(counts.get(handle), stored))
      const count = countOf(handle)
      if (ageOf(count) === Number.POSITIVE_INFINITY) await measure(handle, count)
      else if (ageOf(count) > oldMs) {
        measure(handle, count).catch((error: unknown) =>
          log.warn('The files of a user could not be measured; the last known size is still used.', { user_handle: handle, error }),
        )
      }
      const hold = await taking(handle, count, () => limit.take(`${holderPrefix}${handle}`, bytes))
      try {
        return reservation(hold, await takeRoom(), count, (work) => taking(handle, count, work))
      } catch (error) {
        hold.release()
        throw error
      }
    },
    freed(handle, bytes) {
      const count = counts.get(handle)
      if (!count) return
      if (bytes === undefined || count.measuring) count.isDoubtful = true
      else count.used = Math.max(0, count.used - bytes)
    },
    async usage(handle) {
      const count = countOf(handle)
      if (ageOf(count) > (limit && !count.isDoubtful ? oldMs : removedMs)) await measure(handle, count)
      return { usedBytes: count.used, ...(max !== undefined && { maxBytes: max }) }
    },
  }
}

const holderPrefix = 'handle:'

const isBeingWritten =
  ({ writing }: Count) =>
  (parent: string, name: string): boolean =>
    parent === incomingName && writing.has(name)

async function measureNow(measure: () => Promise<number>, count: Count, clock: Pick<Clock, 'monotonic'>): Promise<void> {
  const measuredAt = clock.monotonic()
  count.storedMeanwhile = 0
  count.isDoubtful = false
  try {
    count.used = (await measure()) + count.storedMeanwhile
    count.measuredAt = measuredAt
  } finally {
    count.measuring = undefined
  }
}

function reservation(hold: Hold, room: RoomHold, count: Count, taking: (work: () => void) => Promise<void>): ByteReservation {
  let name: string | undefined
  const release = (): void => {
    if (name !== undefined) count.writing.delete(name)
    hold.release()
    room.release()
  }
  return {
    async grow(bytes) {
      if (bytes > hold.amount) await taking(() => hold.resize(bytes))
    },
    written: room.written,
    writeAs(incoming) {
      name = incoming
      count.writing.add(incoming)
    },
    store(bytes) {
      release()
      addTo(count, bytes)
    },
    release,
  }
}

function addTo(count: Count | undefined, bytes: number): void {
  if (!count) return
  count.used += bytes
  if (count.measuring) count.storedMeanwhile += bytes
}

const unlimited = (room: RoomHold, store: (bytes: number) => void): ByteReservation => ({
  grow: async () => undefined,
  written: room.written,
  writeAs: () => undefined,
  store(bytes) {
    room.release()
    store(bytes)
  },
  release: room.release,
})
