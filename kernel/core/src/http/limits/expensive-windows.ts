import type { Middleware } from 'koa'
import RateLimit from 'koa-ratelimit'
import { rateLimitedError } from '../errors.js'
import { BoundedMap } from './bounded-map.js'

/** The state of one holder that the middleware keeps. */
interface RateWindow {
  /** The end of the window, in seconds since 1970. */
  readonly reset: number
}

const maxWindows = 50_000

/**
 * Middleware that permits `perMinute` requests of one holder, then answers `rate_limited` until the
 * minute is over. This is a rate, not a share, so it is not a limit of the quotas. Expired windows
 * are removed, and at most 50,000 are kept.
 */
export function createExpensiveWindows<State extends { readonly holder: string }>(perMinute: number): Middleware<State> {
  const options: RateLimit.MiddlewareOptions & { readonly onLimited: (context: { readonly state: unknown }) => void } = {
    driver: 'memory',
    db: new BoundedMap<RateWindow>(maxWindows, ({ reset }) => reset * 1000 < Date.now()),
    duration: 60_000,
    max: perMinute,
    disableHeader: true,
    id: ({ state }) => (state as State).holder,
    onLimited({ state }) {
      const { rateLimit } = state as { readonly rateLimit: { readonly after: number } }
      throw rateLimitedError.create(
        { what: `requests of this kind (at most ${perMinute} a minute)` },
        { retryAfterSeconds: rateLimit.after },
      )
    },
  }
  return RateLimit(options) as Middleware<State>
}
