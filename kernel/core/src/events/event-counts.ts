import type { MetricSource } from '../metrics/metric-source.js'
import { createSeries } from '../metrics/series.js'

/** Counts the events and streams of this process. */
export function createEventCounts() {
  const published = createSeries(['event'], () => ({ value: 0 }))
  const resets = createSeries(['reason'], () => ({ value: 0 }))
  let open = 0
  const samplesOf = (series: typeof published) => () => [...series.entries()].map(({ labels, value }) => ({ labels, value: value.value }))
  return {
    published(name: string): void {
      published.of({ event: name }).value += 1
    },
    /** A stream begins; call the result once at its end. */
    opened(): () => void {
      open += 1
      return () => {
        open -= 1
      }
    },
    /** A reader gets `reset`: it was too slow, or asked for what is not kept. */
    reset(reason: string): void {
      resets.of({ reason }).value += 1
    },
    metrics: [
      {
        name: 'events_published_total',
        help: 'Events published on the streams of users, by name.',
        kind: 'counter',
        samples: samplesOf(published),
      },
      {
        name: 'event_streams_open',
        help: 'Open readers of the streams of users.',
        kind: 'gauge',
        samples: () => [{ labels: {}, value: open }],
      },
      {
        name: 'event_stream_resets_total',
        help: 'Readers that got a reset, by reason: they have to read their state again.',
        kind: 'counter',
        samples: samplesOf(resets),
      },
    ] satisfies readonly MetricSource[],
  }
}
