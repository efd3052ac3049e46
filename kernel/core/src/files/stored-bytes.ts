import path from 'node:path'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Hold, type Limit, limitReachedError, type Quotas, quotaExceededError } from '@agent-service/sdk/services/quotas'
import type { UserFileUsage } from '@agent-service/sdk/services/user-files'
import { measureFolder } from '../disk/index.js'
import { incomingName } from './incoming-folder.js'

/** A count that is at most so old is not measured again before something is refused, in milliseconds. */
const freshMs = 10_000
/** The same once something was removed of which nobody knows the size. */
const removedMs = 1_000
/** A count that is older is measured again beside the work: processes of agents write too, and other nodes. */
const oldMs = 600_000
/** How many users' counts are kept. What falls out is measured again when it is needed. */
const maxCounts = 10_000

/** Room for a file that is being written. It is given back with {@link ByteReservation.release}. */
export interface ByteReservation {
  /** Room for so many bytes altogether. @throws `quota_exceeded`; what was reserved stays. */
  grow(bytes: number): Promise<void>
  /** The name in the incoming folder under which it is being written. */
  writeAs(name: string): void
  /** The file has its place and counts from now on, with what it really has. */
  store(bytes: number): void
  /** Ends the reservation. A second time nothing happens. */
  release(): void
}

/**
 * How many bytes the files of each user have, in all subsystems and on the way there. Together with what is reserved for writes under way it never exceeds the
 * limit, however many there are; new content needs room beside the old one that it replaces. The count is measured once after a start, and kept by what the service
 * writes and removes; before something is refused, and every now and then, it is measured again.
 */
export interface StoredBytes {
  /** @throws `quota_exceeded` where there is no room for so many bytes. */
  reserve(handle: string, bytes: number): Promise<ByteReservation>
  /** So many bytes of files are gone; without a number nobody knows how many. */
  freed(handle: string, bytes?: number): void
  usage(handle: string): Promise<UserFileUsage>
}

interface Count {
  used: number
  /** By the monotonic clock. */
  measuredAt: number
  /** Something went of which nobody knows the size. */
  isDoubtful: boolean
  measuring: Promise<void> | undefined
  storedMeanwhile: number
  readonly writing: Set<string>
}

/** Makes it; without `max` nothing is counted but what is asked for. `usersFolder` is `{storage.data_dir}/users`. */
export function createStoredBytes(options: {
  readonly usersFolder: string
  readonly max: number | undefined
  readonly quotas: Quotas
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Pick<Logger, 'warn'>
  /** Default: the bytes of the files below a folder. */
  readonly measureFiles?: typeof measureFolder
}): StoredBytes {
  const { usersFolder, max, quotas, clock, log, measureFiles = measureFolder } = options
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

  /** One at a time for each user. What is stored meanwhile counts, even if it was seen; what goes meanwhile counts until the next time. */
  const measure = async (handle: string, count: Count): Promise<void> => {
    count.measuring ??= measureNow(() => measureFiles(path.join(usersFolder, handle), { isLeftOut: isBeingWritten(count) }), count, clock)
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

  /** Does what takes room; measures again before it gives up. */
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
    async reserve(handle, bytes) {
      if (!limit) return unlimited
      const count = countOf(handle)
      if (ageOf(count) === Number.POSITIVE_INFINITY) await measure(handle, count)
      else if (ageOf(count) > oldMs) {
        measure(handle, count).catch((error: unknown) =>
          log.warn('The files of a user could not be measured; the count that is known is used on.', { user_handle: handle, error }),
        )
      }
      const hold = await taking(handle, count, () => limit.take(`${holderPrefix}${handle}`, bytes))
      return reservation(hold, count, (work) => taking(handle, count, work))
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

function reservation(hold: Hold, count: Count, taking: (work: () => void) => Promise<void>): ByteReservation {
  let name: string | undefined
  const release = (): void => {
    if (name !== undefined) count.writing.delete(name)
    hold.release()
  }
  return {
    async grow(bytes) {
      if (bytes > hold.amount) await taking(() => hold.resize(bytes))
    },
    writeAs(incoming) {
      name = incoming
      count.writing.add(incoming)
    },
    store(bytes) {
      release()
      count.used += bytes
      if (count.measuring) count.storedMeanwhile += bytes
    },
    release,
  }
}

const unlimited: ByteReservation = {
  grow: () => Promise.resolve(),
  writeAs: () => undefined,
  store: () => undefined,
  release: () => undefined,
}
