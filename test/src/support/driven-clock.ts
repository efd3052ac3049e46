import { setTimeout } from 'node:timers/promises'
import { createControlledClock } from '@agent-service/kernel/testing'
import type { Clock } from '@agent-service/sdk/services/clock'

/** A clock for a running service, of which hours pass in seconds. */
export interface DrivenClock {
  readonly clock: Clock
  /** Lets time pass, with all timers in their order. Between steps the service has real time to work. */
  pass(milliseconds: number): Promise<void>
  stop(): Promise<void>
}

const realMs = 5
/** Of the clock, for each `realMs`: as the real time, and while hours pass. */
const [usualMs, fastMs] = [5, 10_000]

export function startDrivenClock(): DrivenClock {
  const clock = createControlledClock()
  let ahead = 0
  let isOver = false
  let passed: () => void = () => undefined
  const driving = (async () => {
    while (!isOver) {
      const step = ahead > 0 ? Math.min(ahead, fastMs) : usualMs
      await clock.advance(step)
      if (ahead > 0) {
        ahead -= step
        if (ahead <= 0) passed()
      }
      await setTimeout(realMs)
    }
  })()
  return {
    clock,
    pass: (milliseconds) =>
      new Promise((resolve) => {
        passed = resolve
        ahead = milliseconds
      }),
    async stop() {
      isOver = true
      await driving
    },
  }
}
