import type { Metrics } from '@agent-service/sdk/services/metrics'

const secondsOfSearching = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 45]

/** What is measured of searches. */
export interface SearchMetrics {
  /** A search ended: `found`, `nothing`, `cached`, `aborted`, or the code of its error. */
  ended(provider: string, outcome: string): void
  /** The provider was asked once more. */
  retried(provider: string): void
  /** A search that was not cached took so many milliseconds, retries included. */
  took(provider: string, milliseconds: number): void
}

/** Counts searches; `isAvailable` says whether there can be any. */
export function createSearchMetrics(metrics: Metrics, isAvailable: () => boolean): SearchMetrics {
  const searches = metrics.counter({
    name: 'search_requests_total',
    help: 'Web searches by provider and outcome: found, nothing, cached, aborted, or the code of the error.',
    labels: ['provider', 'outcome'],
  })
  const retries = metrics.counter({
    name: 'search_retries_total',
    help: 'Web searches that a provider was asked once more, by provider.',
    labels: ['provider'],
  })
  const duration = metrics.histogram({
    name: 'search_seconds',
    help: 'Time of web searches that were not cached, retries included.',
    labels: ['provider'],
    buckets: secondsOfSearching,
  })
  metrics.gauge({
    name: 'search_available',
    help: '1 while a provider of web search can be used, else 0.',
    labels: [],
    read: () => [{ labels: {}, value: isAvailable() ? 1 : 0 }],
  })
  return {
    ended: (provider, outcome) => searches.add({ provider, outcome }),
    retried: (provider) => retries.add({ provider }),
    took: (provider, milliseconds) => duration.observe({ provider }, Math.max(0, milliseconds) / 1_000),
  }
}
