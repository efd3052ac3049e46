import type { MetricSource } from '@agent-service/kernel-core/metrics'

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
