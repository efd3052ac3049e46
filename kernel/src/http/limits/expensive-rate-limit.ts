import type { Context, Next } from 'koa'
import RateLimit from 'koa-ratelimit'
import { rateLimitedError } from '../errors.js'
import { BoundedMap } from './bounded-map.js'

/** Where the dispatcher leaves the holder for the window. */
export interface RateLimitState {
  principalKey: string
}

/** What the middleware keeps of one holder. */
interface RateWindow {
  /** When it is over, in seconds since 1970. */
  readonly reset: number
}

const mostWindows = 50_000

/**
 * The coarse window over expensive routes: `perMinute` requests of one holder, then `rate_limited` until the minute is over. It is a rate, not a share, so it
 * is no limit of quotas. Windows that are over are forgotten. Users and networks are kept apart, 50,000 of each at most: however many addresses ask, no
 * user's window goes.
 */
export function createExpensiveRateLimit(perMinute: number): (context: Context) => Promise<void> {
  const users = createWindows(perMinute)
  const networks = createWindows(perMinute)
  const nothing: Next = () => Promise.resolve()
  return async (context) => {
    const { principalKey } = context.state as RateLimitState
    await (principalKey.startsWith('user:') ? users : networks)(context, nothing)
  }
}

function createWindows(perMinute: number): ReturnType<typeof RateLimit> {
  const options: RateLimit.MiddlewareOptions & { readonly onLimited: (context: Context) => void } = {
    driver: 'memory',
    db: new BoundedMap<string, RateWindow>(mostWindows, ({ reset }) => reset * 1000 < Date.now()),
    duration: 60_000,
    max: perMinute,
    disableHeader: true,
    id: (context) => (context.state as RateLimitState).principalKey,
    onLimited: (context: Context) => {
      const { after } = context.state['rateLimit'] as { readonly after: number }
      throw rateLimitedError.create({ what: `requests of this kind (at most ${perMinute} a minute)` }, { retryAfterSeconds: after })
    },
  }
  return RateLimit(options)
}
