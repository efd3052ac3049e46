import type { Clock } from '@agent-service/sdk/services/clock'
import { networkOf } from '@agent-service/sdk/services/quotas'
import { BoundedMap } from './rate-windows.js'

export type AuthRateLimiter = ReturnType<typeof createAuthRateLimiter>

const burst = 10
const perSecond = 5

interface Bucket {
  readonly tokens: number
  readonly filledAt: number
}

/**
 * Limits the requests to account routes by a token bucket for each client address: 10 requests at
 * once, then 5 a second. An IPv6 address counts by its /64, so that a household is one address. A
 * bucket that is full again is removed. At most `maxBuckets` are kept; beyond that the least
 * recently used one is removed: a caller with that many networks has as many buckets in any case. A
 * key is the text of a network, at most 24 characters, never text of the caller.
 */
export function createAuthRateLimiter(options: { readonly clock: Clock; readonly maxBuckets?: number }) {
  const { clock, maxBuckets = 50_000 } = options
  const fullAfterMs = (burst / perSecond) * 1000
  const buckets = new BoundedMap<Bucket>(maxBuckets, ({ filledAt }) => filledAt <= clock.monotonic() - fullAfterMs)
  return {
    take(address: string): { readonly allowed: boolean; readonly retryAfterSeconds: number } {
      const key = networkOf(address)
      const now = clock.monotonic()
      const known = buckets.get(key)
      const tokens = known ? Math.min(burst, known.tokens + ((now - known.filledAt) / 1000) * perSecond) : burst
      const allowed = tokens >= 1
      buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, filledAt: now })
      return { allowed, retryAfterSeconds: allowed ? 0 : Math.ceil((1 - tokens) / perSecond) }
    },
    size: (): number => buckets.size,
  }
}
