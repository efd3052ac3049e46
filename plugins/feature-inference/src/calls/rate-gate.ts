import type { RateLimit } from '@agent-service/sdk/contracts/provider-adapter'
import { LRUCache } from 'lru-cache'

/** A limit that tells of a window longer than this, in milliseconds, is no reason to hold calls back: the vendor refuses soon enough. */
const maxWindowMs = 10 * 60_000

interface Window {
  /** Calls that may still be made before `endsAt`. */
  remaining: number
  /** In milliseconds of the monotonic clock. */
  readonly endsAt: number
}

/** Holds calls back that a vendor has said it would refuse, by connection and model. */
export interface RateGate {
  /** Takes a place for one call, or says how long there is none, in milliseconds. */
  enter(key: string): number
  /** What the head of an answer said. */
  learn(key: string, limits: readonly RateLimit[]): void
  /** The vendor refused, and said when a call may succeed, in milliseconds from now. */
  refused(key: string, retryAfterMs: number): void
}

/** Makes a gate that remembers at most 1,024 models. `now` is monotonic, in milliseconds. */
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
      const told = limits.flatMap(({ unit, remaining, reset_ms: reset }) => {
        if (remaining === undefined || reset === undefined || reset <= 0 || reset > maxWindowMs) return []
        // Tokens hold calls back only when there are none at all: what a call will take is not known before.
        if (unit !== 'requests' && remaining > 0) return []
        return [{ remaining, endsAt: now() + reset }]
      })
      const [strictest] = told.sort((one, other) => one.remaining - other.remaining || other.endsAt - one.endsAt)
      if (strictest) windows.set(key, strictest)
    },
    refused(key, retryAfterMs) {
      if (retryAfterMs > 0 && retryAfterMs <= maxWindowMs) windows.set(key, { remaining: 0, endsAt: now() + retryAfterMs })
    },
  }
}
