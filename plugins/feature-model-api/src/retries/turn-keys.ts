import { randomUUID } from 'node:crypto'
import { settlesWithin } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { RequestIdentity } from './request-identity.js'

/** How long the key of a turn without a chosen id is known, in milliseconds. */
const keptMs = 10 * 60_000
const maxKept = 10_000
/** How long a retry waits until the run of its first request has stopped, in milliseconds. */
const maxCancelWaitMs = 20_000

/** The keys of agents' turns, which a retry finds again. */
export interface TurnKeys {
  /**
   * The key of a turn. The same for a request and its retries, for 10 minutes, or always with a
   * chosen id. Waits while the run of the first request is being cancelled.
   */
  keyOf(identity: RequestIdentity): Promise<string>
  /** A run of this turn is being cancelled, because its client disconnected. */
  cancelling(key: string, done: Promise<void>): void
}

/** Keeps at most 10,000 keys. */
export function createTurnKeys({ clock }: { readonly clock: Clock }): TurnKeys {
  const keys = new Map<string, { readonly key: string; readonly until: number }>()
  const ending = new Map<string, Promise<void>>()

  const bodyKey = ({ id, isRetry }: RequestIdentity): string => {
    const now = clock.monotonic()
    for (const [oldest, { until }] of keys) {
      if (until > now && keys.size < maxKept) break
      keys.delete(oldest)
    }
    const known = keys.get(id)
    const key = isRetry && known ? known.key : `request/${randomUUID()}`
    keys.delete(id)
    keys.set(id, { key, until: now + keptMs })
    return key
  }

  return {
    async keyOf(identity) {
      const key = identity.isChosen ? `chosen/${identity.id}` : bodyKey(identity)
      const cancelled = ending.get(key)
      if (cancelled) await settlesWithin(cancelled, { limitMs: maxCancelWaitMs, clock })
      return key
    },
    cancelling(key, done) {
      ending.set(key, done)
      const forget = (): void => {
        if (ending.get(key) === done) ending.delete(key)
      }
      done.then(forget, forget)
    },
  }
}
