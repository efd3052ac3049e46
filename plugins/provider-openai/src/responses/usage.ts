import type { JsonObject } from '@agent-service/sdk'
import type { ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import { costOf, numberAt, objectAt } from '@agent-service/sdk/provider-kit'

/** Token usage. Wrong counts of a vendor are clamped, never negative. */
export function usageOf(raw: JsonObject): ModelUsage {
  const count = (value: number | undefined): number => Math.max(0, Math.round(value ?? 0))
  const input = count(numberAt(raw, 'input_tokens'))
  const output = count(numberAt(raw, 'output_tokens'))
  const details = objectAt(raw, 'input_tokens_details')
  const written = count(numberAt(details, 'cache_write_tokens'))
  const cost = costOf(raw)
  return {
    input_tokens: input,
    cached_input_tokens: Math.min(count(numberAt(details, 'cached_tokens')), input),
    ...(written > 0 && { cache_write_input_tokens: Math.min(written, input) }),
    output_tokens: output,
    reasoning_tokens: Math.min(count(numberAt(objectAt(raw, 'output_tokens_details'), 'reasoning_tokens')), output),
    ...(cost !== undefined && { cost_usd: cost }),
  }
}
