import type { Disposer } from '../core/disposer.js'
import { defineServiceReference } from '../core/service-reference.js'

/** What of a plugin's work a restart in place interrupts. Read while a person decides about one. */
export interface InterruptedWork {
  /** How many pieces of work go on by themselves after it, such as answers that are being written. */
  readonly resumes?: () => number
  /** How many end with it, such as programs that people have started. */
  readonly ends?: () => number
}

/**
 * What a plugin can do so that a restart in place goes unnoticed. An administrator's restart waits
 * for work that is held, up to `server.shutdown_timeout_secs`, unless they do not want to wait;
 * meanwhile everything goes on. A service that is stopped by a signal does not wait.
 *
 * @example
 * const restarts = context.use(restartsService)
 * const release = await restarts.hold(signal)
 * try {
 *   await sendTheParcel()
 * } finally {
 *   void release()
 * }
 */
export interface Restarts {
  /**
   * Holds a restart back while something is done that can neither be interrupted nor repeated.
   * Resolves when it may begin, with what says that it is over. Once a restart is no longer held
   * back, nothing may begin: then it rejects with the signal's reason when the plugin stops, which
   * must abort the signal. Hold for seconds, not for as long as a person thinks.
   */
  hold(signal: AbortSignal): Promise<Disposer>
  /** Says what a restart would interrupt, until the plugin stops. */
  tell(work: InterruptedWork): void
}

/** Restarts in place. Provided by the kernel. */
export const restartsService = defineServiceReference<Restarts>()('kernel.restarts')
