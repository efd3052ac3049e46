import { sleep } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'

/** A clock whose time is advanced only by a test. */
export interface ControlledClock extends Clock {
  /**
   * Advances the time. Timers fire in the order of their due times, and in the order of their
   * creation if these are equal. After each timer, and before the first one, all pending promise
   * callbacks run. Timers created in the meantime fire too when they are due. Only one call at a
   * time. A callback that throws ends the call with its error.
   */
  advance(milliseconds: number): Promise<void>
  /**
   * Sets the wall clock back or forward, as an operator would. Timers use the monotonic time and
   * are not affected.
   */
  setNow(milliseconds: number): void
  /** How many timers and waits are pending. */
  pending(): number
}

interface Timer {
  readonly due: number
  readonly sequence: number
  readonly callback: () => void
}

/** Makes a controlled clock that starts at `now`, by default 2026-01-01T00:00:00.000Z. */
export function createControlledClock(options: { readonly now?: number } = {}): ControlledClock {
  let offset = options.now ?? Date.UTC(2026, 0, 1)
  let elapsed = 0
  let sequence = 0
  let advancing = false
  const timers = new Set<Timer>()

  const schedule = (milliseconds: number, callback: () => void): (() => void) => {
    const timer: Timer = { due: elapsed + Math.max(0, milliseconds), sequence: sequence++, callback }
    timers.add(timer)
    return () => void timers.delete(timer)
  }

  const nextDue = (limit: number): Timer | undefined => {
    let next: Timer | undefined
    for (const timer of timers) {
      if (timer.due > limit) continue
      if (!next || timer.due < next.due || (timer.due === next.due && timer.sequence < next.sequence)) next = timer
    }
    return next
  }

  return Object.freeze<ControlledClock>({
    now: () => offset + elapsed,
    monotonic: () => elapsed,
    after: schedule,
    wait: (milliseconds, { signal }) => sleep(milliseconds, { signal, clock: { after: schedule } }),
    async advance(milliseconds) {
      if (!(milliseconds >= 0)) throw new RangeError(`Time cannot be advanced by ${milliseconds} milliseconds; expected at least 0.`)
      if (advancing) throw new Error('advance() was called before an earlier call had ended. Await the earlier call first.')
      advancing = true
      try {
        const end = elapsed + milliseconds
        await settle()
        for (let timer = nextDue(end); timer; timer = nextDue(end)) {
          timers.delete(timer)
          elapsed = Math.max(elapsed, timer.due)
          timer.callback()
          await settle()
        }
        elapsed = end
      } finally {
        advancing = false
      }
    },
    setNow(milliseconds) {
      offset = milliseconds - elapsed
    },
    pending: () => timers.size,
  })
}

/** Runs all pending microtasks, and those that they create. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
