import type { Clock } from '@agent-service/sdk/services/clock'
import { createRememberedNames } from './remembered-names.js'

/** Attempts that cost nothing: people mistype. */
const freeAttempts = 5
/** How far apart attempts stand at most, in milliseconds. */
const maxGapMs = 30_000
/** How long an attempt is held back at most; what would wait longer is refused. */
export const maxWaitMs = 30_000
const forgottenAfterMs = 15 * 60_000
const maxNames = 50_000

/**
 * Slows guessing at one name down, from however many addresses it comes. It counts the name as it was typed, whether or not an account has it, so it
 * tells nobody which accounts there are.
 */
export interface LoginThrottle {
  /** Takes the next place in line for a name. Resolves nothing by itself: the result says how long the attempt has to wait for its answer, in milliseconds. */
  take(name: string): number
  /** The right password came: what was counted is forgotten. */
  forget(name: string): void
}

interface Line {
  readonly attempts: number
  /** When the last place in line is due, on the monotonic clock. */
  readonly lastAt: number
}

/**
 * Makes it. Digests of names are remembered for a quarter of an hour, fifty thousand at most. A flood of names makes no attempt at another one free: what is
 * slowed down already stays, and of the rest what was tried last.
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
      // Who is sent away takes no place: the line does not grow by those who push.
      const attempts = line.attempts + 1
      if (wait <= maxWaitMs) lines.set(name, { attempts, lastAt: due }, { guarded: attempts >= freeAttempts })
      return wait
    },
    forget: lines.delete,
  }
}
