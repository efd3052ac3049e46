import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '@agent-service/sdk/services/clock'

/**
 * Values by names that callers choose, kept for a time. Stores only a digest of each name, under a
 * key of this process.
 */
export interface RememberedNames<Value> {
  get(name: string): Value | undefined
  /**
   * Stores a value and restarts its lifetime. A `guarded` one is only evicted if no other is left.
   */
  set(name: string, value: Value, options: { readonly guarded: boolean }): void
  delete(name: string): void
  size(): number
}

interface Remembered<Value> {
  readonly value: Value
  /** On the monotonic clock. */
  readonly until: number
}

/** Beyond `max`, evicts the least recently set name, first of those that are not guarded. */
export function createRememberedNames<Value>(options: {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly max: number
  readonly lifetimeMs: number
}): RememberedNames<Value> {
  const { clock, max, lifetimeMs } = options
  const key = randomBytes(32)
  const digestOf = (name: string): string => createHmac('sha256', key).update(name).digest('base64url').slice(0, 22)
  // Each in the order of use, which is that of expiry.
  const plain = new Map<string, Remembered<Value>>()
  const guarded = new Map<string, Remembered<Value>>()

  const forgetExpired = (names: Map<string, Remembered<Value>>): void => {
    const now = clock.monotonic()
    for (const [digest, { until }] of names) {
      if (until > now) return
      names.delete(digest)
    }
  }
  const forgetOldest = (names: Map<string, Remembered<Value>>): void => {
    const oldest = names.keys().next()
    if (!oldest.done) names.delete(oldest.value)
  }

  return {
    get(name) {
      const digest = digestOf(name)
      const found = plain.get(digest) ?? guarded.get(digest)
      return found && found.until > clock.monotonic() ? found.value : undefined
    },
    set(name, value, { guarded: isGuarded }) {
      const digest = digestOf(name)
      plain.delete(digest)
      guarded.delete(digest)
      for (const names of [plain, guarded]) forgetExpired(names)
      if (plain.size + guarded.size >= max) forgetOldest(plain.size > 0 ? plain : guarded)
      ;(isGuarded ? guarded : plain).set(digest, { value, until: clock.monotonic() + lifetimeMs })
    },
    delete(name) {
      const digest = digestOf(name)
      plain.delete(digest)
      guarded.delete(digest)
    },
    size: () => plain.size + guarded.size,
  }
}
