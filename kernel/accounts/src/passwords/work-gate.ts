import type { Clock } from '@agent-service/sdk/services/clock'
import { signInBusyError } from '../records/errors.js'

/** Runs a few tasks at once, and queues a bounded number in order. */
export interface WorkGate {
  /** @throws `sign_in_busy` at once if too many are waiting, or after waiting too long. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export function createWorkGate(options: {
  readonly clock: Clock
  readonly concurrency: number
  readonly waiting: number
  readonly maxWaitMs: number
}): WorkGate {
  const { clock, concurrency, waiting, maxWaitMs } = options
  const queue = new Set<() => void>()
  let running = 0

  const enter = (): Promise<void> => {
    if (running < concurrency) {
      running += 1
      return Promise.resolve()
    }
    if (queue.size >= waiting) return Promise.reject(signInBusyError.create({}, { retryAfterSeconds: 1 }))
    return new Promise((resolve, reject) => {
      const stopWaiting = clock.after(maxWaitMs, () => {
        queue.delete(admit)
        reject(signInBusyError.create({}, { retryAfterSeconds: 1 }))
      })
      const admit = (): void => {
        void stopWaiting()
        resolve()
      }
      queue.add(admit)
    })
  }

  /**
   * Passes the slot to the task that has waited longest, so that `running` never drops in between.
   */
  const leave = (): void => {
    const [next] = queue
    if (next) {
      queue.delete(next)
      next()
    } else running -= 1
  }

  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
