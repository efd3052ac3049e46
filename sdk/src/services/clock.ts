import type { Disposer } from '../core/disposer.js'
import { defineServiceReference } from '../core/service-reference.js'

/**
 * Time, as everything but the operating system's own waits reads it. Tests control it.
 *
 * @example
 * const clock = context.use(clockService)
 * const begin = clock.monotonic()
 * await clock.wait(1_000, { signal })
 * context.log.debug('Waited.', { ms: clock.monotonic() - begin })
 */
export interface Clock {
  /** Milliseconds since 1970. May jump. */
  now(): number
  /** Milliseconds from an arbitrary start; never goes back. For measuring and limits. */
  monotonic(): number
  /**
   * Calls back once, at least `milliseconds` later. The result cancels it. Does not keep the
   * process alive.
   */
  after(milliseconds: number, callback: () => void): Disposer
  /** Resolves after `milliseconds`; rejects with the signal's reason when aborted. */
  wait(milliseconds: number, options: { readonly signal: AbortSignal }): Promise<void>
}

/** The time. Provided by the kernel. */
export const clockService = defineServiceReference<Clock>()('kernel.clock')
