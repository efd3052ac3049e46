import type { Clock } from '@agent-service/sdk/services/clock'

/** The most that wait for one holder. */
const maxWaiting = 200

/** Wakes those who wait until a holder gives something back. */
export interface ReleaseBell {
  /** Wakes all who wait for the holder, in the order in which they came. */
  ring(holder: string): void
  /** True once it rings; false when it has not within the time, or too many wait. @throws the reason of the signal. */
  next(holder: string, withinMs: number, signal: AbortSignal): Promise<boolean>
}

/** Makes one for which nothing waits. Keeps nothing of a holder for whom nothing waits. */
export function createReleaseBell(clock: Pick<Clock, 'after'>): ReleaseBell {
  const waiting = new Map<string, Set<(woken: boolean) => void>>()
  return {
    ring(holder) {
      for (const wake of [...(waiting.get(holder) ?? [])]) wake(true)
    },
    next(holder, withinMs, signal) {
      const others = waiting.get(holder) ?? new Set()
      if (withinMs <= 0 || others.size >= maxWaiting) return Promise.resolve(false)
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          others.delete(wake)
          if (others.size === 0) waiting.delete(holder)
          void stopTimer()
          signal.removeEventListener('abort', onAbort)
        }
        const wake = (woken: boolean): void => {
          leave()
          resolve(woken)
        }
        const onAbort = (): void => {
          leave()
          reject(signal.reason as Error)
        }
        const stopTimer = clock.after(withinMs, () => wake(false))
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.set(holder, others.add(wake))
      })
    },
  }
}
