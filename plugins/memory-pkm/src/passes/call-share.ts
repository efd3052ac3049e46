import { createLimiter, type Limiter } from '@agent-service/sdk/async'

/**
 * The calls of one pass within those of all: it may have every place, and never more in the line for
 * them than there are places. So what another user's pass asks for comes after one call of a long
 * chat, and not after all of them.
 */
export function createCallShare(all: Limiter, maxConcurrent: number): Limiter {
  const own = createLimiter({ maxConcurrent, maxWaiting: Number.POSITIVE_INFINITY })
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
