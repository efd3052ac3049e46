import type { JsonObject } from '@agent-service/sdk'
import type { ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import { numberAt, objectAt } from '@agent-service/sdk/provider-kit'

/** Token usage, `undefined` if the vendor reported none. Billed tokens replace missing counts. */
export function usageOf(raw: JsonObject | undefined): ModelUsage | undefined {
  const counts = objectAt(raw, 'tokens') ?? objectAt(raw, 'billed_units')
  if (!counts || (numberAt(counts, 'input_tokens') === undefined && numberAt(counts, 'output_tokens') === undefined)) return undefined
  const count = (holder: JsonObject | undefined, name: string): number => Math.max(0, Math.round(numberAt(holder, name) ?? 0))
  const input = count(counts, 'input_tokens')
  const output = count(counts, 'output_tokens')
  return {
    input_tokens: input,
    cached_input_tokens: Math.min(count(raw, 'cached_tokens'), input),
    output_tokens: output,
    reasoning_tokens: Math.min(count(counts, 'reasoning_tokens'), output),
  }
}
