import { abortable } from './abortable.js'

/** Shares one piece of work among all who ask for the same at the same time. */
export interface SingleFlight<Key, Result> {
  /** How many are under way. */
  readonly size: number
  /**
   * What `work` comes to: begun by the first call for a key and joined by the others until it settles. A caller's signal ends that caller's wait alone;
   * the work goes on for the others, so it needs a limit of its own.
   */
  run(key: Key, work: () => Promise<Result>, options?: { readonly signal?: AbortSignal }): Promise<Result>
}

/** Makes one without work. Nothing is kept of what has settled. */
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
