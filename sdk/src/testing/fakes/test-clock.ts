import type { Clock } from '../../services/clock.js'

/** A clock that stands still until the test moves it. */
export interface TestClock extends Clock {
  /**
   * Advances the time and runs the due callbacks, in order, each at its own time. Then waits one
   * turn of the event loop.
   */
  advance(milliseconds: number): Promise<void>
}

/** Makes a clock that shows `now`, by default the beginning of 2026. */
export function createTestClock(now: number = Date.UTC(2026, 0, 1)): TestClock {
  const waiting = new Set<{ readonly at: number; readonly callback: () => void }>()
  let passed = 0
  const after = (milliseconds: number, callback: () => void): (() => void) => {
    if (typeof callback !== 'function') throw new TypeError(`clock.after() takes a function to call, and got ${typeof callback}.`)
    const wait = { at: passed + milliseconds, callback }
    waiting.add(wait)
    return () => void waiting.delete(wait)
  }
  return {
    now: () => now + passed,
    monotonic: () => passed,
    after,
    wait: (milliseconds, { signal }) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const cancel = after(milliseconds, () => {
          signal.removeEventListener('abort', abort)
          resolve()
        })
        const abort = (): void => {
          cancel()
          reject(signal.reason)
        }
        signal.addEventListener('abort', abort, { once: true })
      }),
    async advance(milliseconds) {
      const end = passed + milliseconds
      for (;;) {
        const next = [...waiting].filter(({ at }) => at <= end).sort((left, right) => left.at - right.at)[0]
        if (!next) break
        waiting.delete(next)
        passed = Math.max(passed, next.at)
        next.callback()
        await turn()
      }
      passed = end
      await turn()
    },
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
