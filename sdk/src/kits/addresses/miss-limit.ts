import { holderOf } from '../../services/quotas.js'

/** Misses that a network may have at once, and how many more each second. */
const burst = 60
const perSecond = 1
/** The most networks that are remembered; the one that was not seen for longest is forgotten first. */
const maxNetworks = 10_000

/** Slows down who tries links, addresses and codes that do not exist. */
export interface MissLimit {
  /** Whether a try from this address may be answered. @throws what `refuse` makes. */
  check(address: string): void
  /** A try from this address led nowhere. */
  count(address: string): void
}

interface Bucket {
  readonly left: number
  readonly at: number
}

/**
 * Each network has 60 misses at once, and one more a second; IPv6 counts by its network. Bounded by
 * 10,000 networks. `refuse` makes the error of a try that comes too early.
 */
export function createMissLimit(dependencies: {
  /** In milliseconds, as that of `kernel.clock`. */
  readonly clock: { monotonic(): number }
  readonly refuse: (refusal: { readonly retryAfterSeconds: number }) => Error
}): MissLimit {
  const { clock, refuse } = dependencies
  const buckets = new Map<string, Bucket>()
  const leftOf = (bucket: Bucket | undefined, now: number): number =>
    bucket ? Math.min(burst, bucket.left + ((now - bucket.at) / 1_000) * perSecond) : burst
  return {
    check(address) {
      const left = leftOf(buckets.get(holderOf({ address })), clock.monotonic())
      if (left < 1) throw refuse({ retryAfterSeconds: Math.ceil((1 - left) / perSecond) })
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
