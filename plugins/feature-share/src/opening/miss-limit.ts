import { defineError } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { holderOf } from '@agent-service/sdk/services/quotas'

/** Misses that a network may have at once, and how many more each second. */
const burst = 60
const perSecond = 1
/** The most networks that are remembered; the one that was not seen for longest is forgotten first. */
const maxNetworks = 10_000

/** Too many links that do not exist were asked for. Says nothing about the one that was asked for now. */
export const tooManyMissesError = defineError<Record<string, never>>({
  code: 'rate_limited',
  status: 429,
  title: 'Too many requests',
  message: () => 'Too many links that do not work were opened from this network. Try again in a minute.',
})

/** Slows down who tries links that do not exist. */
export interface MissLimit {
  /** Before a link is looked up. @throws {@link tooManyMissesError} */
  check(address: string): void
  /** A link from this address led nowhere. */
  count(address: string): void
}

interface Bucket {
  readonly left: number
  readonly at: number
}

export function createMissLimit({ clock }: { readonly clock: Pick<Clock, 'monotonic'> }): MissLimit {
  const buckets = new Map<string, Bucket>()
  const leftOf = (bucket: Bucket | undefined, now: number): number =>
    bucket ? Math.min(burst, bucket.left + ((now - bucket.at) / 1_000) * perSecond) : burst
  return {
    check(address) {
      const left = leftOf(buckets.get(holderOf({ address })), clock.monotonic())
      if (left < 1) throw tooManyMissesError.create({}, { retryAfterSeconds: Math.ceil((1 - left) / perSecond) })
    },
    count(address) {
      const network = holderOf({ address })
      const now = clock.monotonic()
      const left = leftOf(buckets.get(network), now)
      buckets.delete(network)
      buckets.set(network, { left: Math.max(0, left - 1), at: now })
      const [oldest] = buckets.keys()
      if (buckets.size > maxNetworks && oldest !== undefined) buckets.delete(oldest)
    },
  }
}
