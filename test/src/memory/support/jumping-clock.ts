import { createSystemClock } from '@agent-service/kernel/testing'
import type { Clock } from '@agent-service/sdk/services/clock'

/** The system's clock, which a test sets forward. Timers run as they do; sessions may end by a jump. */
export function createJumpingClock(): { readonly clock: Clock; jump(milliseconds: number): void } {
  let ahead = 0
  const clock = createSystemClock()
  return {
    clock: { ...clock, now: () => clock.now() + ahead, monotonic: () => clock.monotonic() + ahead },
    jump(milliseconds) {
      ahead += milliseconds
    },
  }
}
