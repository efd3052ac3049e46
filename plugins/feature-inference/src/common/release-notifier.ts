import type { Clock } from '@agent-service/sdk/services/clock'

/** How many may wait for one holder. */
const maxWaiting = 200

/** Wakes those that wait for a holder to release something. */
export interface ReleaseNotifier {
  /** Wakes all that wait for the holder, first come first. */
  notify(holder: string): void
  /** True once notified; false after the time, or if too many wait. @throws the signal's reason. */
  wait(holder: string, withinMs: number, signal: AbortSignal): Promise<boolean>
}

/** Keeps no state for a holder that nothing waits for. */
export function createReleaseNotifier(clock: Pick<Clock, 'after'>): ReleaseNotifier {
  const waiting = new Map<string, Set<(woken: boolean) => void>>()
  return {
    notify(holder) {
      for (const wake of [...(waiting.get(holder) ?? [])]) wake(true)
    },
    wait(holder, withinMs, signal) {
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
