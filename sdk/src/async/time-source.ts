import type { Clock } from '../services/clock.js'

/** What waits are measured with: the part of the service `kernel.clock` that calls back. */
export type TimeSource = Pick<Clock, 'after'>

/** The timers of the process. As long as something waits for one, the process goes on. */
export const processTimers: TimeSource = Object.freeze({
  after(milliseconds: number, callback: () => void) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
})
