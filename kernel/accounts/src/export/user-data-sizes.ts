import { setMaxListeners } from 'node:events'
import type { Logger } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import { type UserData, userData } from '@agent-service/sdk/contracts/user-data'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { isOfAbsentPlugin, type RawCollection, type RawData, rawPartOf, userDataOf } from '../raw-data/index.js'
import type { UserRecord } from '../records/records.js'

const partLimitMs = 5_000

/** The size of one part of an account's data. */
type PartSize = {
  readonly id: string
  readonly plugin: string
  /** The plugin's state; `gone` when no installed plugin has the id. */
  readonly state: string
  /** Documents that no running plugin answers for, counted as they are stored. */
  readonly raw: boolean
  /** Null if it could not be counted. */
  readonly records: number | null
  readonly bytes: number | null
}

/** How much data an account has. */
export interface UserDataSizes {
  /**
   * Asks every part at once, each for at most five seconds. A part that fails has no numbers. Of
   * collections that no running plugin answers for, those that have something of the account.
   */
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
  readonly rawData: Pick<RawData, 'collections'>
  /** Plugins that are installed, keep data of users and do not run. */
  readonly absent: () => readonly string[]
  readonly log: Pick<Logger, 'warn'>
}): UserDataSizes {
  const { contributions, files, rawData, absent, log } = dependencies

  const measured = async (measure: UserData['size'], part: PartName, userId: string, signal: AbortSignal): Promise<PartSize> => {
    try {
      const size = await withTimeLimit((limited) => measure(userId, { signal: limited }), {
        ...{ limitMs: partLimitMs, signal, what: `measuring the data of ${part.plugin}` },
      })
      return { ...part, records: whole(size.records), bytes: whole(size.bytes) }
    } catch (error) {
      signal.throwIfAborted()
      log.warn('The data of an account could not be measured.', { user_id: userId, part: part.id, error })
      return { ...part, records: null, bytes: null }
    }
  }

  const sizeOf = async (key: string, plugin: string, userId: string, signal: AbortSignal): Promise<PartSize> => {
    const part = { id: key, plugin, state: 'active', raw: false }
    const lease = contributions.acquire(userData, key)
    if (!lease) return { ...part, records: null, bytes: null }
    const measure: UserData['size'] = (id, { signal: limited }) =>
      lease.value.size(id, { signal: AbortSignal.any([limited, lease.signal]) })
    try {
      return await measured(measure, part, userId, signal)
    } finally {
      lease.release()
    }
  }

  const sizeOfRaw = (collection: RawCollection, userId: string, signal: AbortSignal): Promise<PartSize> => {
    const { plugin, state } = collection
    const { size } = userDataOf(collection)
    return measured(size, { id: rawPartOf(collection), plugin, state, raw: true }, userId, signal)
  }

  return {
    async of(user, signal) {
      const listened = AbortSignal.any([signal])
      // Every part listens to it; ten or more are no leak.
      setMaxListeners(0, listened)
      const collections = await rawData.collections()
      const parts = contributions.list(userData).map(({ key, pluginId }) => sizeOf(key, pluginId, user.id, listened))
      const left = collections.map((collection) => sizeOfRaw(collection, user.id, listened))
      const [sizes, raw, stored] = await Promise.all([Promise.all(parts), Promise.all(left), files(user)])
      const found = raw.filter(({ records }) => records !== 0)
      const absentees = found.filter(isOfAbsentPlugin).map(({ plugin }) => plugin)
      return { parts: [...sizes, ...found], files: stored, absent_plugins: [...absent(), ...new Set(absentees)] }
    },
  }
}

type PartName = Pick<PartSize, 'id' | 'plugin' | 'state' | 'raw'>

const whole = (value: number): number | null => (Number.isFinite(value) && value >= 0 ? Math.round(value) : null)
