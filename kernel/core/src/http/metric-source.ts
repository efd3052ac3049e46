/** A metric that another part of the kernel counts. */
export interface MetricSource {
  /** In snake case; of a counter with `_total` at its end. */
  readonly name: string
  readonly help: string
  readonly kind: 'counter' | 'gauge'
  /** Few different labels: each is a series. */
  samples(): readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
}

/** In the Prometheus text format. */
export function metricText(sources: readonly MetricSource[]): string {
  return sources
    .flatMap(({ name, help, kind, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${kind}`,
      ...samples().map(({ labels, value }) => `${name}${labelText(labels)} ${value}`),
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
