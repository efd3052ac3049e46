import type { Clock } from '../services/clock.js'

/** The timer of waits: the part of the service `kernel.clock` that calls back. */
export type TimeSource = Pick<Clock, 'after'>

/** The timers of the process. A pending timer keeps the process alive. */
export const processTimers: TimeSource = Object.freeze({
  after(milliseconds: number, callback: () => void) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
})
