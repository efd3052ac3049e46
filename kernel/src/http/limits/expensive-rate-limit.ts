import type { Context, Next } from 'koa'
import RateLimit from 'koa-ratelimit'
import { rateLimitedError } from '../errors.js'
import { BoundedMap } from './bounded-map.js'

/** Where the dispatcher leaves the principal for the window. */
export interface RateLimitState {
  principalKey: string
}

/**
 * The coarse window over expensive routes: `perMinute` requests of one principal, then `rate_limited` until the minute is over. At most 10,000
 * principals are remembered.
 */
export function createExpensiveRateLimit(perMinute: number): (context: Context) => Promise<void> {
  const options: RateLimit.MiddlewareOptions & { readonly onLimited: (context: Context) => void } = {
    driver: 'memory',
    db: new BoundedMap<string, unknown>(10_000),
    duration: 60_000,
    max: perMinute,
    disableHeader: true,
    id: (context) => (context.state as RateLimitState).principalKey,
    onLimited: (context: Context) => {
      const { after } = context.state['rateLimit'] as { readonly after: number }
      throw rateLimitedError.create({ what: `requests of this kind (at most ${perMinute} a minute)` }, { retryAfterSeconds: after })
    },
  }
  const limit = RateLimit(options)
  const nothing: Next = () => Promise.resolve()
  return async (context) => {
    await limit(context, nothing)
  }
}
