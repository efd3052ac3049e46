import { abortable } from './abortable.js'

/** Shares one piece of work among concurrent callers with the same key. */
export interface SingleFlight<Key, Result> {
  /** How many are under way. */
  readonly size: number
  /**
   * The result of `work`: begun by the first call for a key and joined by the others until it
   * settles. A caller's signal ends only that caller's wait; the work continues for the others, so
   * it needs its own limit.
   */
  run(key: Key, work: () => Promise<Result>, options?: { readonly signal?: AbortSignal }): Promise<Result>
}

/** Makes one without work. Settled work is not kept. */
export function createSingleFlight<Key, Result>(): SingleFlight<Key, Result> {
  const flights = new Map<Key, Promise<Result>>()

  const begin = (key: Key, work: () => Promise<Result>): Promise<Result> => {
    const flight = Promise.resolve()
      .then(work)
      .finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }

  return {
    get size() {
      return flights.size
    },
    run: (key, work, { signal } = {}) => abortable(() => flights.get(key) ?? begin(key, work), signal),
  }
}
