import type { Clock } from '@agent-service/sdk/services/clock'
import { networkOf } from '../request/client-address.js'

/** Whether one more request of an address may pass. */
export interface AuthRateLimiter {
  take(address: string): { readonly allowed: boolean; readonly retryAfterSeconds: number }
}

interface Bucket {
  tokens: number
  filledAt: number
}

/**
 * A token bucket for each client address: `burst` at once, then `perSecond`. An IPv6 address counts by its /64, so that a household is one
 * address. One that is full again is forgotten. At most `maximumBuckets` are remembered; beyond it the one that was used longest ago goes: whoever has that
 * many networks has as many buckets in any case. A key is the text of a network, at most 24 characters, never what a caller wrote.
 */
export function createAuthRateLimiter(options: {
  readonly clock: Clock
  readonly burst?: number
  readonly perSecond?: number
  readonly maximumBuckets?: number
}): AuthRateLimiter & { readonly size: () => number } {
  const { clock, burst = 10, perSecond = 5, maximumBuckets = 50_000 } = options
  const buckets = new Map<string, Bucket>()
  return {
    take(address) {
      const key = networkOf(address)
      const now = clock.monotonic()
      const known = buckets.get(key)
      const tokens = known ? Math.min(burst, known.tokens + ((now - known.filledAt) / 1000) * perSecond) : burst
      const allowed = tokens >= 1
      // Deleted and set again: the map's order is the order of use.
      buckets.delete(key)
      forgetFull(buckets, now - (burst / perSecond) * 1000)
      buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, filledAt: now })
      forgetOldest(buckets, maximumBuckets)
      return { allowed, retryAfterSeconds: allowed ? 0 : Math.ceil((1 - tokens) / perSecond) }
    },
    size: () => buckets.size,
  }
}

/** The order of use is that in which buckets are full again. */
function forgetFull(buckets: Map<string, Bucket>, filledBefore: number): void {
  for (const [key, { filledAt }] of buckets) {
    if (filledAt > filledBefore) return
    buckets.delete(key)
  }
}

function forgetOldest(buckets: Map<string, Bucket>, maximum: number): void {
  if (buckets.size <= maximum) return
  const oldest = buckets.keys().next()
  if (!oldest.done) buckets.delete(oldest.value)
}
