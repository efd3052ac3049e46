import type { Middleware } from 'koa'
import RateLimit from 'koa-ratelimit'
import { LRUCache } from 'lru-cache'
import { rateLimitedError } from '../errors.js'

/**
 * A map of at most `max` entries. Setting an entry makes it the youngest. Before that, the oldest
 * entries that have expired are removed, and the oldest one if the map is full. It extends `Map`
 * because koa-ratelimit requires that of its store.
 */
export class BoundedMap<Value extends object> extends Map<string, Value> {
  readonly #entries: LRUCache<string, Value>
  readonly #isOver: (value: Value) => boolean

  constructor(max: number, isOver: (value: Value) => boolean) {
    super()
    // `maxSize` instead of `max`, which would allocate memory for all entries in advance.
    this.#entries = new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
    this.#isOver = isOver
  }

  override get size(): number {
    return this.#entries.size
  }

  override get(key: string): Value | undefined {
    return this.#entries.peek(key)
  }

  override has(key: string): boolean {
    return this.#entries.has(key)
  }

  override set(key: string, value: Value): this {
    for (const oldest of this.#entries.rkeys()) {
      const old = this.#entries.peek(oldest)
      if (old === undefined || !this.#isOver(old)) break
      this.#entries.delete(oldest)
    }
    this.#entries.set(key, value)
    return this
  }
}

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
