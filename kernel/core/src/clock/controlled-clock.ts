import { sleep } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'

/** A clock whose time passes only when a test says so. */
export interface ControlledClock extends Clock {
  /**
   * Lets time pass. Timers that fall due fire in the order of their times, those of the same moment in the order in which they were made;
   * after each, and once before the first, whatever follows from it without waiting for the outside has run. Timers made on the way fire too
   * when they fall due. One call at a time. A callback that throws ends the call with its error.
   */
  advance(milliseconds: number): Promise<void>
  /** Sets the wall clock, back or forward, as an operator would. Timers go by the monotonic time and do not notice. */
  setNow(milliseconds: number): void
  /** How many timers and waits are pending. */
  pending(): number
}

interface Timer {
  readonly due: number
  readonly sequence: number
  readonly callback: () => void
}

/** Makes a controlled clock that stands at `now`, by default 2026-01-01T00:00:00.000Z. */
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
      if (!(milliseconds >= 0)) throw new RangeError(`Time only passes forward: advance(${milliseconds}).`)
      if (advancing) throw new Error('advance() was called while an earlier call had not ended. Await it first.')
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

/** Lets every microtask run that is there, and those that they make. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
