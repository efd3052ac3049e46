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

/** The metrics in the Prometheus text format. */
export function metricText(sources: readonly MetricSource[]): string {
  return sources
    .flatMap(({ name, help, kind, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${kind}`,
      ...samples().map(({ labels, value, suffix = '' }) => `${name}${suffix}${labelText(labels)} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join('')
}

const labelText = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(
    ([label, value]) => `${label}="${value.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`))}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
