import type { JsonObject } from '@agent-service/sdk'
import type { ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import { numberAt } from '@agent-service/sdk/provider-kit'

const counters = ['prompt_eval_count', 'eval_count', 'prompt_eval_duration', 'eval_duration', 'load_duration', 'total_duration'] as const

/** The counters of the last document, unchanged. Durations are in nanoseconds. */
export function rawUsageOf(document: JsonObject): JsonObject | undefined {
  const found = counters.flatMap((name): readonly (readonly [string, number])[] => {
    const value = numberAt(document, name)
    return value === undefined ? [] : [[name, value]]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/**
 * Token usage. A missing count, for example of a cached prompt, is estimated, and the usage says
 * so.
 */
export function usageOf(raw: JsonObject | undefined, estimate: ModelUsage): ModelUsage {
  const input = numberAt(raw, 'prompt_eval_count')
  const output = numberAt(raw, 'eval_count')
  if (input === undefined && output === undefined) return estimate
  return {
    input_tokens: count(input ?? estimate.input_tokens),
    cached_input_tokens: 0,
    output_tokens: count(output ?? estimate.output_tokens),
    // The server counts thinking as output and does not report its share.
    reasoning_tokens: 0,
    ...((input === undefined || output === undefined) && { estimated: true }),
  }
}

const count = (value: number): number => Math.max(0, Math.round(value))
