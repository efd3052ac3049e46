import { defineServiceReference } from '../core/service-reference.js'

/** The values of a metric's labels. */
export type MetricLabels<Label extends string> = Readonly<Record<Label, string>>

/** What is measured. */
export interface MetricDefinition<Label extends string> {
  /**
   * snake_case with its unit, as Prometheus has it: `model_call_duration_seconds`; the name of a
   * counter ends with `_total`. That of a third party begins with its plugin's id, `-` as `_`.
   */
  readonly name: string
  /** One sentence for people. */
  readonly help: string
  /**
   * Each combination of their values is a series that lasts as long as the plugin, so their values
   * come from a small set: never an id, a path or text that someone sends. A metric has at most 500
   * series; further combinations count as one, in which each label is `other`.
   */
  readonly labels: readonly Label[]
}

/** A number that only grows. */
export interface Counter<Label extends string> {
  /** Adds 1, or an amount. @throws RangeError for an amount that is negative or not finite. */
  add(labels: MetricLabels<Label>, amount?: number): void
}

/** How measured values are distributed. */
export interface Histogram<Label extends string> {
  /** Adds a value. @throws RangeError for one that is negative or not finite. */
  observe(labels: MetricLabels<Label>, value: number): void
}

/** One value of a gauge. */
export interface GaugeValue<Label extends string> {
  /** Its series. */
  readonly labels: MetricLabels<Label>
  /** The value at this moment. */
  readonly value: number
}

/**
 * Metrics of this process at `GET /metrics`, for Prometheus. They begin with the plugin, at nothing,
 * and end with it. Measuring never waits.
 *
 * @example
 * const rolls = context.use(metricsService).counter({
 *   name: 'dice_rolls_total',
 *   help: 'Rolled dice by the number of their sides.',
 *   labels: ['sides'],
 * })
 * rolls.add({ sides: '20' })
 */
export interface Metrics {
  /** Declares a counter. @throws `metric_invalid`, `metric_conflict`. */
  counter<const Label extends string>(definition: MetricDefinition<Label>): Counter<Label>
  /**
   * Declares a histogram. `buckets` are the upper bounds, ascending; the last one, infinity, is
   * added. @throws `metric_invalid`, `metric_conflict`.
   */
  histogram<const Label extends string>(definition: MetricDefinition<Label> & { readonly buckets: readonly number[] }): Histogram<Label>
  /**
   * Declares a gauge, which is read at each request of the metrics. If `read` throws, the gauge is
   * left out and the error logged. @throws `metric_invalid`, `metric_conflict`.
   */
  gauge<const Label extends string>(definition: MetricDefinition<Label> & { readonly read: () => readonly GaugeValue<Label>[] }): void
}

/** Metrics of the process. */
export const metricsService = defineServiceReference<Metrics>()('kernel.metrics')
