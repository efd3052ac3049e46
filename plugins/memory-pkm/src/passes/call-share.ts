import { createLimiter, type Limiter } from '@agent-service/sdk/async'

/**
 * The calls of one pass within those of all: at most half of the places at a time, and no more in the
 * line for them. So the pass of a long chat does not make those of other users wait for all of its
 * parts.
 */
export function createCallShare(all: Limiter, maxConcurrent: number): Limiter {
  const own = createLimiter({ maxConcurrent: Math.max(1, Math.floor(maxConcurrent / 2)), maxWaiting: Number.POSITIVE_INFINITY })
  return {
    get active() {
      return own.active
    },
    get waiting() {
      return own.waiting
    },
    async acquire(options) {
      const releaseOwn = await own.acquire(options)
      try {
        const release = await all.acquire(options)
        return () => {
          release()
          releaseOwn()
        }
      } catch (error) {
        releaseOwn()
        throw error
      }
    },
  }
}
