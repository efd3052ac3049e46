import { onAbort } from './on-abort.js'
import { processTimers, type TimeSource } from './time-source.js'

/**
 * Resolves after `milliseconds`; rejects with the signal's reason when that comes first. Leaves
 * neither listener nor timer behind. By the timers of the process unless a clock is given, which a
 * test then controls.
 */
export function sleep(milliseconds: number, options: { readonly signal: AbortSignal; readonly clock?: TimeSource }): Promise<void> {
  const { signal, clock = processTimers } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const forget = onAbort(signal, (reason) => {
      void cancel()
      reject(reason)
    })
    const cancel = clock.after(milliseconds, () => {
      forget()
      resolve()
    })
  })
}
