import { ServiceError } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Metrics } from '@agent-service/sdk/services/metrics'

const secondsOfFetching = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 45, 90]

/** What is measured of fetched pages. */
export interface WebMetrics {
  /** A call ended so: `fetched`, `cached`, `aborted`, `failed`, or the code of its error. */
  ended(outcome: string): void
  /** So many bytes of a page came, after decompression. */
  received(bytes: number): void
  /** The browser has rendered a page. */
  rendered(): void
  /** Measures a piece of work that is not answered from the cache. */
  measured<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** Counts what `web_fetch` does. */
export function createWebMetrics(metrics: Metrics, clock: Pick<Clock, 'monotonic'>): WebMetrics {
  const fetches = metrics.counter({
    name: 'web_fetches_total',
    help: 'Pages that agents asked for by outcome: fetched, cached, aborted, failed, or the code of the error.',
    labels: ['outcome'],
  })
  const bytes = metrics.counter({ name: 'web_fetch_bytes_total', help: 'Bytes of fetched pages, after decompression.', labels: [] })
  const renderings = metrics.counter({ name: 'web_fetch_renderings_total', help: 'Pages that the browser has rendered.', labels: [] })
  const duration = metrics.histogram({
    name: 'web_fetch_seconds',
    help: 'Time until a page that was not cached could be read.',
    labels: [],
    buckets: secondsOfFetching,
  })
  const ended = (outcome: string): void => fetches.add({ outcome })
  return {
    ended,
    received: (amount) => bytes.add({}, amount),
    rendered: () => renderings.add({}),
    async measured(signal, work) {
      const begin = clock.monotonic()
      try {
        const result = await work()
        ended('fetched')
        return result
      } catch (error) {
        ended(signal.aborted ? 'aborted' : ServiceError.isInstance(error) ? error.code : 'failed')
        throw error
      } finally {
        duration.observe({}, Math.max(0, clock.monotonic() - begin) / 1_000)
      }
    },
  }
}
