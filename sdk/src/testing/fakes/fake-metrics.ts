import type { Metrics } from '../../services/metrics.js'

/** One thing that was measured. */
export interface MeasuredValue {
  /** The name of the metric. */
  readonly name: string
  /** Its labels. */
  readonly labels: Readonly<Record<string, string>>
  /** What was added or observed. */
  readonly value: number
}

/** Metrics that a test reads. */
export interface FakeMetrics extends Metrics {
  /** The names of the declared metrics. */
  readonly declared: readonly string[]
  /** What counters and histograms were given, in order. */
  readonly measured: readonly MeasuredValue[]
  /** What a declared gauge reads now. @throws Error if there is none of this name. */
  read(name: string): readonly MeasuredValue[]
}

/** Records what is measured. */
export function createFakeMetrics(): FakeMetrics {
  const declared: string[] = []
  const measured: MeasuredValue[] = []
  const gauges = new Map<string, () => readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]>()
  return {
    declared,
    measured,
    read(name) {
      const gauge = gauges.get(name)
      if (!gauge) throw new Error(`No gauge “${name}” was declared.`)
      return gauge().map(({ labels, value }) => ({ name, labels, value }))
    },
    counter({ name }) {
      declared.push(name)
      return { add: (labels, value = 1) => void measured.push({ name, labels, value }) }
    },
    histogram({ name }) {
      declared.push(name)
      return { observe: (labels, value) => void measured.push({ name, labels, value }) }
    },
    gauge({ name, read }) {
      declared.push(name)
      gauges.set(name, read)
    },
  }
}
