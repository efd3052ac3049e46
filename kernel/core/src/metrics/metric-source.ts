/** One line of a metric. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  /** Only of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count'
}

/** A metric that is counted outside the HTTP layer. */
export interface MetricSource {
  /** In snake case; the name of a counter ends with `_total`. */
  readonly name: string
  readonly help: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** Each combination of labels is a series, so there must be few of them. */
  samples(): readonly MetricSample[]
}
