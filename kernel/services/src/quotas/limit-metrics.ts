import type { MetricSource } from '@agent-service/kernel-core/metrics'
import type { MeasuredLimit, MeasuredQuotas } from './measured-limit.js'

/** The metrics of every limit. */
export function limitMetrics({ limits }: Pick<MeasuredQuotas, 'limits'>): readonly MetricSource[] {
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
    source('limit_used', 'gauge', 'How much of a limit all holders use.', (limit) => limit.total()),
    source('limit_max_total', 'gauge', 'The maximum of a limit for all holders together.', (limit) => limit.definition.maxTotal),
    source('limit_holders', 'gauge', 'Users and addresses that use a limit.', (limit) => limit.holders()),
    source('limit_waiting', 'gauge', 'Requests that wait for room in a limit.', (limit) => limit.waiting()),
    {
      name: 'limit_wait_seconds',
      help: 'How long requests have waited for room in a limit, of those that had to wait.',
      kind: 'histogram',
      samples: () =>
        [...limits()]
          .filter(({ definition }) => definition.waiting !== undefined)
          .flatMap(({ definition, waits }) => waits.samples({ limit: definition.name })),
    },
    source('limit_refused_total', 'counter', 'Requests that a limit refused.', (limit) => limit.refused()),
    source('limit_displaced_total', 'counter', 'Idle holds that a limit displaced to make room.', (limit) => limit.displaced()),
  ]
}
