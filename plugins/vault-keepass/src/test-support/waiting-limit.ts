import { createLimiter, type Limiter } from '@agent-service/sdk/async'
import type { Limit } from '@agent-service/sdk/services/quotas'

/** A limit of one for each holder, which waits. */
export function createWaitingLimit(): Limit {
  const limiters = new Map<string, Limiter>()
  return {
    take: () => {
      throw new Error('The tests do not take.')
    },
    async acquire(holder, amount, { signal }) {
      const limiter = limiters.get(holder) ?? createLimiter({ maxConcurrent: 1, maxWaiting: 1_000 })
      limiters.set(holder, limiter)
      const release = await limiter.acquire({ signal })
      return { holder, amount, resize: () => undefined, release }
    },
    used: (holder) => limiters.get(holder)?.active ?? 0,
  }
}
