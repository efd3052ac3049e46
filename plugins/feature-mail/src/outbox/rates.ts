import type { Clock } from '@agent-service/sdk/services/clock'

const hourMs = 3_600_000

/** How many e-mails may go out in an hour, to one user and in all. Counted in this process. */
export interface Rates {
  /** Counts an e-mail, or returns in how many milliseconds there is room for it. */
  take(userId: string): { readonly waitMs: number } | undefined
}

export function createRates(
  clock: Pick<Clock, 'monotonic'>,
  { perHour, perUser }: { readonly perHour: number; readonly perUser: number },
): Rates {
  // The times of the last hour, the oldest first. Their number is bounded by the limits.
  const all: number[] = []
  const users = new Map<string, number[]>()
  const drop = (times: number[], now: number): void => {
    while (times[0] !== undefined && times[0] <= now - hourMs) times.shift()
  }
  const waitOf = (times: number[], max: number, now: number): number => (times.length < max ? 0 : (times[0] ?? now) + hourMs - now)
  return {
    take(userId) {
      const now = clock.monotonic()
      drop(all, now)
      for (const [id, times] of users) {
        drop(times, now)
        if (times.length === 0) users.delete(id)
      }
      const own = users.get(userId) ?? []
      const waitMs = Math.max(waitOf(all, perHour, now), waitOf(own, perUser, now))
      if (waitMs > 0) return { waitMs }
      all.push(now)
      own.push(now)
      users.set(userId, own)
      return undefined
    },
  }
}
