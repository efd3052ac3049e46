import type { JsonObject } from '@agent-service/sdk'
import type { ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import { numberAt } from '@agent-service/sdk/provider-kit'

/** Token usage. The vendor counts thoughts separately. `undefined` without any count. */
export function usageOf(raw: JsonObject | undefined): ModelUsage | undefined {
  if (numberAt(raw, 'promptTokenCount') === undefined && numberAt(raw, 'candidatesTokenCount') === undefined) return undefined
  const count = (name: string): number => Math.max(0, Math.round(numberAt(raw, name) ?? 0))
  const input = count('promptTokenCount') + count('toolUsePromptTokenCount')
  const thoughts = count('thoughtsTokenCount')
  return {
    input_tokens: input,
    cached_input_tokens: Math.min(count('cachedContentTokenCount'), input),
    output_tokens: count('candidatesTokenCount') + thoughts,
    reasoning_tokens: thoughts,
  }
}
