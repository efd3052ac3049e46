import { sleep } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'

/** The longest delay that a platform timer supports; with a longer one it fires at once. */
const maxDelayMs = 2 ** 31 - 1

/** The operating system's time. Timers do not keep the process alive; waits do. */
export function createSystemClock(): Clock {
  const schedule = (milliseconds: number, callback: () => void, keepsAlive: boolean): (() => void) => {
    if (typeof callback !== 'function') throw new TypeError(`clock.after() takes a function to call, and got ${typeof callback}.`)
    let timer: NodeJS.Timeout
    const arm = (left: number): void => {
      const step = Math.min(left, maxDelayMs)
      timer = setTimeout(() => (left > step ? arm(left - step) : callback()), step)
      if (!keepsAlive) timer.unref()
    }
    arm(Math.max(0, milliseconds))
    return () => clearTimeout(timer)
  }

  return Object.freeze<Clock>({
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after: (milliseconds, callback) => schedule(milliseconds, callback, false),
    wait: (milliseconds, { signal }) =>
      sleep(milliseconds, { signal, clock: { after: (delay, callback) => schedule(delay, callback, true) } }),
  })
}
