import { onAbort } from '@agent-service/sdk/async'

/** Moments at equal distances from a beginning. */
export interface Ticks {
  /** Resolves at the next one; rejects with the signal's reason. */
  next(signal: AbortSignal): Promise<void>
  end(): void
}

/**
 * Begins now. What waits for the next tick ends at a time that depends on what was done before only
 * by whole ticks. By the timers of the process: this is about real time, whatever the clock of the
 * service says.
 */
export function beginTicks(everyMs: number): Ticks {
  let waiting: (() => void) | undefined
  const timer = setInterval(() => waiting?.(), everyMs)
  timer.unref()
  return {
    next: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const forget = onAbort(signal, reject)
        waiting = () => {
          forget()
          resolve()
        }
      }),
    end: () => clearInterval(timer),
  }
}
