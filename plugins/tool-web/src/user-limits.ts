import type { Clock } from '@agent-service/sdk/services/clock'
import type { Quotas } from '@agent-service/sdk/services/quotas'

const windowMs = 60_000

/**
 * Runs work of users within their shares: four pages at a time, and 120 in a minute. @throws `limit_reached`,
 * `overloaded`, or the reason of the signal.
 */
export function createUserLimits({ quotas, clock }: { readonly quotas: Quotas; readonly clock: Pick<Clock, 'after'> }) {
  const concurrent = quotas.limit({
    ...{ name: 'web-fetches', counts: 'pages of the web at a time', maxPerHolder: 4, maxTotal: 16 },
    waiting: { maxPerHolder: 12, maxTotal: 256, maxMs: 30_000 },
  })
  const perMinute = quotas.limit({ name: 'web-fetches-per-minute', counts: 'pages of the web in a minute', maxPerHolder: 120 })
  return async <T>(userId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const holder = `user:${userId}`
    const recent = perMinute.take(holder)
    clock.after(windowMs, () => recent.release())
    const hold = await concurrent.acquire(holder, 1, { signal })
    try {
      return await work()
    } finally {
      hold.release()
    }
  }
}
