import type { Clock } from '@agent-service/sdk/services/clock'

/** Makes a bucket that holds the messages of one second and fills at that rate. The result says whether one more may pass. */
export function createMessageRate(clock: Clock, perSecond: number): () => boolean {
  let tokens = perSecond
  let filledAt = clock.monotonic()
  return () => {
    const now = clock.monotonic()
    tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1000) * perSecond)
    filledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
