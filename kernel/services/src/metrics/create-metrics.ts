import type { MetricSample, MetricSource } from '@agent-service/kernel-core/metrics'
import { createSeries, metricConflictError } from '@agent-service/kernel-core/metrics'
import { type Disposer, defineError, type Logger } from '@agent-service/sdk'
import type { DisposableScope } from '@agent-service/sdk/host'
import type { MetricDefinition, Metrics } from '@agent-service/sdk/services/metrics'
import type { InjectionToken } from 'tsyringe'
import { createDistribution } from './distribution.js'

/** The metric cannot be declared. */
export const metricInvalidError = defineError<{ readonly metric: string; readonly reason: string }>({
  code: 'metric_invalid',
  status: 500,
  title: 'Invalid metric',
  message: ({ metric, reason }) => `The metric “${metric}” is not valid: ${reason}.`,
})

/** How many metrics a plugin may have. */
const maxMetricsOfPlugin = 64
/** `le` is the bound of a bucket. */
const reservedLabels: ReadonlySet<string> = new Set(['le', 'quantile', 'job', 'instance'])

type Definition = MetricDefinition<string>

/** The metrics of plugins and of parts of the kernel. */
export interface MetricRegistry {
  /**
   * Adds a metric until the result is called. `owner`: the plugin that declares it. @throws
   * `metric_conflict`.
   */
  add(source: MetricSource, owner?: string): Disposer
  /** What there is now, sorted by name. */
  sources(): readonly MetricSource[]
}

export const metricsToken: InjectionToken<MetricRegistry> = Symbol('metrics')

/** Makes a registry. `reserved` are the names that the kernel counts itself. */
export function createMetricRegistry(reserved: () => readonly string[] = () => []): MetricRegistry {
  const known = new Map<string, { readonly source: MetricSource; readonly owner: string | undefined }>()
  return {
    add(source, owner) {
      const { name } = source
      const other = known.get(name)
      if (other !== undefined || reserved().includes(name))
        throw metricConflictError.create(other?.owner === undefined ? { metric: name } : { metric: name, owner: other.owner })
      known.set(name, { source, owner })
      return () => {
        if (known.get(name)?.source === source) known.delete(name)
      }
    },
    sources: () => [...known.values()].map(({ source }) => source).sort((one, other) => (one.name < other.name ? -1 : 1)),
  }
}

/** The service of one plugin: its metrics end with it. */
export function ownMetrics(
  registry: Pick<MetricRegistry, 'add'>,
  plugin: { readonly id: string; readonly builtIn: boolean },
  { scope, log }: { readonly scope: DisposableScope; readonly log: Pick<Logger, 'warn'> },
): Metrics {
  let declared = 0
  const declare = (definition: Definition, kind: MetricSource['kind'], samples: () => readonly MetricSample[]): void => {
    checkDefinition(definition, kind, plugin)
    if (declared >= maxMetricsOfPlugin)
      throw metricInvalidError.create({ metric: definition.name, reason: `a plugin may have at most ${maxMetricsOfPlugin} metrics` })
    const { name, help } = definition
    const end = registry.add({ name, help: help.replaceAll('\n', ' '), kind, samples }, plugin.id)
    declared += 1
    scope.add(`metric ${name}`, end)
  }
  return Object.freeze<Metrics>({
    counter(definition) {
      const series = createSeries(definition.labels, () => ({ value: 0 }))
      declare(definition, 'counter', () => [...series.entries()].map(({ labels, value }) => ({ labels, value: value.value })))
      return Object.freeze({
        add(labels: Readonly<Record<string, string>>, amount = 1) {
          series.of(labels).value += checked(definition.name, amount)
        },
      })
    },
    histogram(definition) {
      const { name, buckets } = definition
      const isAscending = buckets.every((bound, index) => Number.isFinite(bound) && (index === 0 || bound > (buckets[index - 1] ?? bound)))
      if (buckets.length === 0 || buckets.length > 30 || !isAscending)
        throw metricInvalidError.create({ metric: name, reason: 'its buckets must be 1 to 30 finite numbers, ascending' })
      const series = createSeries(definition.labels, () => createDistribution([...buckets]))
      declare(definition, 'histogram', () => [...series.entries()].flatMap(({ labels, value }) => value.samples(labels)))
      return Object.freeze({
        observe(labels: Readonly<Record<string, string>>, value: number) {
          series.of(labels).observe(checked(name, value))
        },
      })
    },
    gauge({ read, ...definition }) {
      declare(definition, 'gauge', () => {
        try {
          const series = createSeries(definition.labels, () => ({ value: 0 }))
          for (const { labels, value } of read()) series.of(labels).value += value
          return [...series.entries()].map(({ labels, value }) => ({ labels, value: value.value }))
        } catch (error) {
          log.warn('A metric could not be read.', { metric: definition.name, plugin: plugin.id, error })
          return []
        }
      })
    },
  })
}

function checked(metric: string, amount: number): number {
  if (Number.isFinite(amount) && amount >= 0) return amount
  throw new RangeError(`The metric “${metric}” was given ${amount}; expected a finite number of at least 0.`)
}

function checkDefinition(
  { name, help, labels }: Definition,
  kind: MetricSource['kind'],
  plugin: { readonly id: string; readonly builtIn: boolean },
): void {
  const refuse = (reason: string): never => {
    throw metricInvalidError.create({ metric: String(name).slice(0, 100), reason })
  }
  if (!/^[a-z][a-z0-9_]{1,99}$/.test(name)) refuse('its name must be 2 to 100 of a–z, 0–9 and _, beginning with a letter')
  if ((kind === 'counter') !== name.endsWith('_total')) refuse('the names of counters, and of no other metrics, end with _total')
  if (/_(bucket|sum|count)$/.test(name)) refuse('its name must not end with _bucket, _sum or _count')
  const own = plugin.id.replaceAll('-', '_')
  if (!plugin.builtIn && !name.startsWith(`${own}_`)) refuse(`its name must begin with “${own}_”`)
  if (typeof help !== 'string' || help.trim() === '') refuse('its help must not be empty')
  if (labels.length > 6 || new Set(labels).size !== labels.length) refuse('it may have at most 6 labels, all different')
  const wrong = labels.find((label) => !/^[a-z][a-z0-9_]{0,39}$/.test(label) || reservedLabels.has(label))
  if (wrong !== undefined) refuse(`“${wrong}” must not be the name of a label`)
}
