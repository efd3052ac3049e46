import { LRUCache } from 'lru-cache'

/** How many failures in a row open the breaker. */
const maxFailures = 5
/** How long a connection is skipped before one call retries it, in milliseconds. */
const openMs = 30_000

interface State {
  readonly failures: number
  /** In milliseconds of the monotonic clock; until then calls skip the connection. */
  readonly openUntil: number
}

/**
 * Remembers which connections keep failing, so that calls with another target do not wait for them.
 */
export interface ConnectionBreaker {
  /**
   * Whether calls with another target skip the connection now. Once the time is over, the caller
   * that asks may try it.
   */
  skips(handle: string): boolean
  /** A call was answered, or failed in a way that shows that the connection works. */
  recordSuccess(handle: string): void
  /** A call failed in a way that the next one may too: overloaded, unreachable, timed out. */
  recordFailure(handle: string): void
}

/** A breaker that remembers at most 256 connections. `now` is monotonic, in milliseconds. */
export function createConnectionBreaker(now: () => number): ConnectionBreaker {
  const states = new LRUCache<string, State>({ max: 256 })
  return {
    skips(handle) {
      const state = states.get(handle)
      if (!state || state.failures < maxFailures) return false
      if (now() < state.openUntil) return true
      // One call tries; the others skip the connection until that call has ended.
      states.set(handle, { ...state, openUntil: now() + openMs })
      return false
    },
    recordSuccess: (handle) => void states.delete(handle),
    recordFailure(handle) {
      const failures = (states.get(handle)?.failures ?? 0) + 1
      states.set(handle, { failures, openUntil: now() + openMs })
    },
  }
}
