import type { MetricSample } from '@agent-service/kernel-core/metrics'

/** Counts values by upper bounds. */
export interface Distribution {
  observe(value: number): void
  /** The lines of a histogram: cumulative buckets, sum and count. */
  samples(labels: Readonly<Record<string, string>>): readonly MetricSample[]
}

/** `bounds` are ascending, without infinity. */
export function createDistribution(bounds: readonly number[]): Distribution {
  const counts = new Array<number>(bounds.length + 1).fill(0)
  let sum = 0
  return {
    observe(value) {
      const bucket = bounds.findIndex((bound) => value <= bound)
      const index = bucket === -1 ? bounds.length : bucket
      counts[index] = (counts[index] ?? 0) + 1
      sum += value
    },
    samples(labels) {
      let below = 0
      const buckets = counts.map((count, index): MetricSample => {
        below += count
        return { suffix: '_bucket', labels: { ...labels, le: String(bounds[index] ?? '+Inf') }, value: below }
      })
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: below }]
    },
  }
}
