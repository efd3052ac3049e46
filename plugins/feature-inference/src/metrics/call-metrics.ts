import type { Metrics } from '@agent-service/sdk/services/metrics'
import type { CallRecord } from '../common/call-record.js'

/** Measures model calls. */
export interface CallMetrics {
  /** A call that has ended, with its cost in US dollars, if it is known. Never throws. */
  ended(record: CallRecord, costDollars: number | undefined): void
}

const secondsOfCalls = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900]
const secondsToFirstToken = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/**
 * Declares the metrics of model calls. Groups and connections are those of the configuration, and
 * models are left out, so the number of series is bounded.
 */
export function createCallMetrics(metrics: Metrics): CallMetrics {
  const target = ['group', 'provider'] as const
  const calls = metrics.counter({
    name: 'model_calls_total',
    help: 'Model calls that have ended, embeddings included, by model group, connection and outcome: completed, failed, cancelled or lost.',
    labels: [...target, 'outcome'],
  })
  const failures = metrics.counter({
    name: 'model_call_failures_total',
    help: 'Model calls that failed, by the kind of failure.',
    labels: [...target, 'failure'],
  })
  const retries = metrics.counter({
    name: 'model_call_retries_total',
    help: 'Model calls that repeated a failed one at the same model.',
    labels: target,
  })
  const fallbacks = metrics.counter({
    name: 'model_call_fallbacks_total',
    help: 'First calls of a fallback, by the connection of the fallback.',
    labels: target,
  })
  const durations = metrics.histogram({
    name: 'model_call_duration_seconds',
    help: 'Time from the start of a model call to its end.',
    labels: [...target, 'outcome'],
    buckets: secondsOfCalls,
  })
  const firstTokens = metrics.histogram({
    name: 'model_call_first_token_seconds',
    help: 'Time from the start of a model call to the first content of its answer.',
    labels: target,
    buckets: secondsToFirstToken,
  })
  const tokens = metrics.counter({
    name: 'model_tokens_total',
    help: 'Tokens of model calls by kind: input includes cached_input, output includes reasoning.',
    labels: [...target, 'kind'],
  })
  const cost = metrics.counter({
    name: 'model_cost_dollars_total',
    help: 'Cost of model calls in US dollars, of those whose price is known.',
    labels: target,
  })

  const count = ({ group, connection: provider, outcome, failure, retries: before, fallback }: CallRecord): void => {
    calls.add({ group, provider, outcome })
    if (failure !== undefined) failures.add({ group, provider, failure })
    if (before > 0) retries.add({ group, provider })
    else if (fallback > 0) fallbacks.add({ group, provider })
  }

  return {
    ended(record, costDollars) {
      const { group, connection: provider, outcome, usage, durationMs, firstTokenMs } = record
      count(record)
      if (outcome !== 'lost') durations.observe({ group, provider, outcome }, Math.max(0, durationMs) / 1_000)
      if (firstTokenMs !== undefined) firstTokens.observe({ group, provider }, Math.max(0, firstTokenMs) / 1_000)
      for (const [kind, amount] of [
        ['input', usage?.input_tokens],
        ['cached_input', usage?.cached_input_tokens],
        ['output', usage?.output_tokens],
        ['reasoning', usage?.reasoning_tokens],
      ] as const)
        if (amount !== undefined && amount > 0 && Number.isFinite(amount)) tokens.add({ group, provider, kind }, amount)
      if (costDollars !== undefined && costDollars > 0 && Number.isFinite(costDollars)) cost.add({ group, provider }, costDollars)
    },
  }
}
