import type { RateLimit } from '@agent-service/sdk/contracts/provider-adapter'
import { LRUCache } from 'lru-cache'

/**
 * Limits with a longer window than this, in milliseconds, do not hold calls back: the vendor
 * refuses soon enough.
 */
const maxWindowMs = 10 * 60_000

interface Window {
  /** Calls that may still be made before `endsAt`. */
  remaining: number
  /** In milliseconds of the monotonic clock. */
  readonly endsAt: number
}

/**
 * Holds back calls that the vendor would refuse by its reported limits, by connection and model.
 */
export interface RateGate {
  /** Admits one call and returns 0, or returns how long to wait, in milliseconds. */
  enter(key: string): number
  /** Takes the limits that the head of an answer reported. */
  learn(key: string, limits: readonly RateLimit[]): void
  /** The vendor refused a call until then, in milliseconds from now. */
  block(key: string, retryAfterMs: number): void
}

/** A gate that remembers at most 1,024 models. `now` is monotonic, in milliseconds. */
export function createRateGate(now: () => number): RateGate {
  const windows = new LRUCache<string, Window>({ max: 1_024 })
  return {
    enter(key) {
      const window = windows.get(key)
      if (!window) return 0
      const left = window.endsAt - now()
      if (left <= 0) {
        windows.delete(key)
        return 0
      }
      if (window.remaining <= 0) return left
      window.remaining -= 1
      return 0
    },
    learn(key, limits) {
      const reported = limits.flatMap(({ unit, remaining, reset_ms: reset }) => {
        if (remaining === undefined || reset === undefined || reset <= 0 || reset > maxWindowMs) return []
        // Tokens hold calls back only when none are left: the usage of a call is not known
        // beforehand.
        if (unit !== 'requests' && remaining > 0) return []
        return [{ remaining, endsAt: now() + reset }]
      })
      const [strictest] = reported.sort((one, other) => one.remaining - other.remaining || other.endsAt - one.endsAt)
      if (strictest) windows.set(key, strictest)
    },
    block(key, retryAfterMs) {
      if (retryAfterMs > 0 && retryAfterMs <= maxWindowMs) windows.set(key, { remaining: 0, endsAt: now() + retryAfterMs })
    },
  }
}
