import { setMaxListeners } from 'node:events'
import type { Logger } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import { userData } from '@agent-service/sdk/contracts/user-data'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { UserRecord } from '../records/records.js'

const partLimitMs = 5_000

/** The size of one part of an account's data. */
type PartSize = {
  readonly id: string
  readonly plugin: string
  /** Null if it could not be counted. */
  readonly records: number | null
  readonly bytes: number | null
}

/** How much data an account has. */
export interface UserDataSizes {
  /** Asks every part at once, each for at most five seconds. A part that fails has no numbers. */
  of(
    user: Pick<UserRecord, 'id' | 'handle'>,
    signal: AbortSignal,
  ): Promise<{
    readonly parts: readonly PartSize[]
    readonly files: { readonly bytes: number; readonly max_bytes: number | null }
    readonly absent_plugins: readonly string[]
  }>
}

export function createUserDataSizes(dependencies: {
  readonly contributions: Contributions
  /** The bytes of the files of an account, and how many it may have. */
  readonly files: (user: Pick<UserRecord, 'handle'>) => Promise<{ readonly bytes: number; readonly max_bytes: number | null }>
  /** Plugins that keep data of users and do not run. */
  readonly absent: () => readonly string[]
  readonly log: Pick<Logger, 'warn'>
}): UserDataSizes {
  const { contributions, files, absent, log } = dependencies

  const sizeOf = async (key: string, plugin: string, userId: string, signal: AbortSignal): Promise<PartSize> => {
    const lease = contributions.acquire(userData, key)
    try {
      if (!lease) return { id: key, plugin, records: null, bytes: null }
      const size = await withTimeLimit((limited) => lease.value.size(userId, { signal: AbortSignal.any([limited, lease.signal]) }), {
        ...{ limitMs: partLimitMs, signal, what: `measuring the data of ${plugin}` },
      })
      return { id: key, plugin, records: whole(size.records), bytes: whole(size.bytes) }
    } catch (error) {
      signal.throwIfAborted()
      log.warn('The data of an account could not be measured.', { user_id: userId, part: key, error })
      return { id: key, plugin, records: null, bytes: null }
    } finally {
      lease?.release()
    }
  }

  return {
    async of(user, signal) {
      const listened = AbortSignal.any([signal])
      // Every part listens to it; ten or more are no leak.
      setMaxListeners(0, listened)
      const parts = contributions.list(userData).map(({ key, pluginId }) => sizeOf(key, pluginId, user.id, listened))
      const [sizes, stored] = await Promise.all([Promise.all(parts), files(user)])
      return { parts: sizes, files: stored, absent_plugins: absent() }
    },
  }
}

const whole = (value: number): number | null => (Number.isFinite(value) && value >= 0 ? Math.round(value) : null)
