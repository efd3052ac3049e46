import { defineError } from '../core/errors.js'
import { onAbort } from './on-abort.js'

/** Too many callers wait for a limited resource. */
export const tooManyWaitingError = defineError<{ readonly maxConcurrent: number; readonly maxWaiting: number }>({
  code: 'too_many_waiting',
  status: 503,
  title: 'Too many waiting',
  message: ({ maxConcurrent, maxWaiting }) =>
    `${maxConcurrent} calls are running and ${maxWaiting} are waiting, which is the maximum. Try again later.`,
})

/** Lets a bounded number through at a time. */
export interface Limiter {
  /** How many calls are running. */
  readonly active: number
  /** How many wait. */
  readonly waiting: number
  /**
   * Resolves in the order of the calls, once there is room. The result releases the place; a second
   * call does nothing. @throws {@link tooManyWaitingError} at once if the queue is full, or the
   * signal's reason.
   */
  acquire(options?: { readonly signal?: AbortSignal }): Promise<() => void>
}

/** Makes a limiter. `maxWaiting` bounds its queue. */
export function createLimiter({ maxConcurrent, maxWaiting }: { readonly maxConcurrent: number; readonly maxWaiting: number }): Limiter {
  const line = new Set<() => void>()
  let active = 0

  const admit = (): (() => void) => {
    active += 1
    let released = false
    return () => {
      if (released) return
      released = true
      active -= 1
      const [next] = line
      if (next) next()
    }
  }

  return {
    get active() {
      return active
    },
    get waiting() {
      return line.size
    },
    async acquire({ signal } = {}) {
      signal?.throwIfAborted()
      if (active < maxConcurrent) return admit()
      if (line.size >= maxWaiting) throw tooManyWaitingError.create({ maxConcurrent, maxWaiting }, { retryAfterSeconds: 1 })
      return new Promise((resolve, reject) => {
        const enter = (): void => {
          line.delete(enter)
          forget()
          resolve(admit())
        }
        line.add(enter)
        const forget = onAbort(signal, (reason) => {
          line.delete(enter)
          reject(reason)
        })
      })
    },
  }
}
