import { LRUCache } from 'lru-cache'

/** How many failures in a row open the breaker. */
const failureLimit = 5
/** How long a connection is skipped before one call tries it again, in milliseconds. */
const openMs = 30_000

interface State {
  readonly failures: number
  /** In milliseconds of the monotonic clock; until then calls skip the connection. */
  readonly openUntil: number
}

/** Remembers which connections keep failing, so that calls that have another target need not wait for them. */
export interface ConnectionBreaker {
  /** Whether calls that have another target skip the connection now. When its time is over, the one that asks may try. */
  skips(handle: string): boolean
  /** A call came to an answer, or to a failure that says that the connection works. */
  worked(handle: string): void
  /** A call failed in a way that the next one may too: overloaded, unreachable, too late. */
  failed(handle: string): void
}

/** Makes a breaker that remembers at most 256 connections. `now` is monotonic, in milliseconds. */
export function createConnectionBreaker(now: () => number): ConnectionBreaker {
  const states = new LRUCache<string, State>({ max: 256 })
  return {
    skips(handle) {
      const state = states.get(handle)
      if (!state || state.failures < failureLimit) return false
      if (now() < state.openUntil) return true
      // One tries; the others go on skipping until it has come back.
      states.set(handle, { ...state, openUntil: now() + openMs })
      return false
    },
    worked: (handle) => void states.delete(handle),
    failed(handle) {
      const failures = (states.get(handle)?.failures ?? 0) + 1
      states.set(handle, { failures, openUntil: now() + openMs })
    },
  }
}
