import type { MeasuredLimit, QuotaRegistry } from '../../quotas/index.js'
import type { MetricSource } from '../metric-source.js'

/** What `/metrics` shows of every limit. */
export function limitMetrics({ limits }: Pick<QuotaRegistry, 'limits'>): readonly MetricSource[] {
  const source = (
    name: string,
    kind: MetricSource['kind'],
    help: string,
    read: (limit: MeasuredLimit) => number | undefined,
  ): MetricSource => ({
    ...{ name, kind, help },
    samples: () =>
      [...limits()].flatMap((limit) => {
        const value = read(limit)
        return value === undefined || !Number.isFinite(value) ? [] : [{ labels: { limit: limit.definition.name }, value }]
      }),
  })
  return [
    source('limit_used', 'gauge', 'How much of a limit all holders have.', (limit) => limit.total()),
    source('limit_max_total', 'gauge', 'How much of a limit all holders may have.', (limit) => limit.definition.maxTotal),
    source('limit_holders', 'gauge', 'Users and addresses that have something of a limit.', (limit) => limit.holders()),
    source('limit_waiting', 'gauge', 'What waits for room in a limit.', (limit) => limit.waiting()),
    source('limit_refused_total', 'counter', 'How often a limit refused something.', (limit) => limit.refused()),
    source('limit_displaced_total', 'counter', 'How often something idle made room in a limit.', (limit) => limit.displaced()),
  ]
}
