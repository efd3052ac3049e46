import type { JsonObject } from '@agent-service/sdk'
import type { ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import { numberAt, objectAt } from '@agent-service/sdk/provider-kit'

/** Merges counts: later ones win, since they are totals. Null is ignored. */
export function mergeUsage(known: JsonObject | undefined, usage: JsonObject | undefined): JsonObject | undefined {
  const told = Object.entries(usage ?? {}).filter(([, value]) => value !== null)
  return told.length === 0 ? known : { ...known, ...Object.fromEntries(told) }
}

/** Token usage. The vendor counts cached tokens separately. `undefined` without any count. */
export function usageOf(raw: JsonObject | undefined): ModelUsage | undefined {
  if (numberAt(raw, 'input_tokens') === undefined && numberAt(raw, 'output_tokens') === undefined) return undefined
  const count = (value: number | undefined): number => Math.max(0, Math.round(value ?? 0))
  const read = count(numberAt(raw, 'cache_read_input_tokens'))
  const written = count(numberAt(raw, 'cache_creation_input_tokens'))
  const output = count(numberAt(raw, 'output_tokens'))
  const reasoning = count(numberAt(objectAt(raw, 'output_tokens_details'), 'thinking_tokens'))
  return {
    input_tokens: count(numberAt(raw, 'input_tokens')) + read + written,
    cached_input_tokens: read,
    ...(written > 0 && { cache_write_input_tokens: written }),
    output_tokens: output,
    reasoning_tokens: Math.min(reasoning, output),
  }
}
