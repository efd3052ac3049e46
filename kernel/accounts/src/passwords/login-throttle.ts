import type { Clock } from '@agent-service/sdk/services/clock'
import { createRememberedNames } from './remembered-names.js'

/** Attempts without delay: people mistype. */
const freeAttempts = 5
/** The longest gap between attempts, in milliseconds. */
const maxGapMs = 30_000
/** The longest delay of an attempt; an attempt that would wait longer is refused. */
export const maxWaitMs = 30_000
const forgottenAfterMs = 15 * 60_000
const maxNames = 50_000

/**
 * Slows down guessing at one name, from any number of addresses. Counts the name as it was typed,
 * whether or not an account has it, so it does not reveal which accounts exist.
 */
export interface LoginThrottle {
  /**
   * Queues an attempt at a name. Returns how long it must wait for its answer, in milliseconds; the
   * caller waits.
   */
  take(name: string): number
  /** Resets the count after the right password. */
  forget(name: string): void
}

interface Line {
  readonly attempts: number
  /** When the last attempt is due, on the monotonic clock. */
  readonly lastAt: number
}

/**
 * Digests of names are kept for a quarter of an hour, at most 50,000. A flood of names does not
 * reset the delay of another one: names that are already delayed stay, and of the rest the most
 * recent.
 */
export function createLoginThrottle({ clock }: { readonly clock: Clock }): LoginThrottle {
  const lines = createRememberedNames<Line>({ clock, max: maxNames, lifetimeMs: forgottenAfterMs + maxWaitMs })
  return {
    take(name) {
      const now = clock.monotonic()
      const known = lines.get(name)
      const line = known && now - known.lastAt < forgottenAfterMs ? known : { attempts: 0, lastAt: now }
      const gap = line.attempts < freeAttempts ? 0 : Math.min(maxGapMs, 1_000 * 2 ** (line.attempts - freeAttempts))
      const due = Math.max(now, line.lastAt) + gap
      const wait = due - now
      // A refused attempt is not queued, so that it does not lengthen the delay.
      const attempts = line.attempts + 1
      if (wait <= maxWaitMs) lines.set(name, { attempts, lastAt: due }, { guarded: attempts >= freeAttempts })
      return wait
    },
    forget: lines.delete,
  }
}
