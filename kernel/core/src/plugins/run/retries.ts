import type { Disposer } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'

const first = 1_000
const longest = 300_000
const maxRequestedMs = 3_600_000

/**
 * The delay before a plugin that was not ready is started again, in milliseconds: 1 s, doubled each
 * time up to 5 minutes, or the delay that the plugin requested (at most an hour). Jitter of up to a
 * fifth keeps many plugins from starting at the same moment.
 */
export function retryDelay(attempt: number, askedMs: number | undefined, random: () => number = Math.random): number {
  const asked = askedMs === undefined || !Number.isFinite(askedMs) ? undefined : Math.min(Math.max(askedMs, 0), maxRequestedMs)
  const delay = asked ?? Math.min(first * 2 ** Math.min(attempt, 20), longest)
  return Math.round(delay * (0.8 + 0.4 * random()))
}

export type Retries = ReturnType<typeof createRetries>

/**
 * The timers of plugins that were not ready. `again` starts a plugin whose time has come.
 */
export function createRetries(clock: Clock, again: (id: string) => void) {
  const planned = new Map<string, { readonly attempt: number; readonly cancel: Disposer }>()
  const reset = (id: string): void => {
    void planned.get(id)?.cancel()
    planned.delete(id)
  }
  return {
    /** Schedules the next start of a plugin; each in a row comes later. */
    plan(id: string, askedMs: number | undefined): void {
      const attempt = planned.get(id)?.attempt ?? 0
      planned.set(id, { attempt: attempt + 1, cancel: clock.after(retryDelay(attempt, askedMs), () => again(id)) })
    },
    /** Cancels the timer of a plugin and resets its count. */
    reset,
    clear(): void {
      for (const id of planned.keys()) reset(id)
    },
  }
}
