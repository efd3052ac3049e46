import type { JsonObject } from '@agent-service/sdk'
import type { ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import { numberAt } from '@agent-service/sdk/provider-kit'

/** Token usage. The vendor's `inputTokens` excludes tokens read from and written to its cache. */
export function usageOf(raw: JsonObject): ModelUsage {
  const count = (name: string): number => Math.max(0, Math.round(numberAt(raw, name) ?? 0))
  const cached = count('cacheReadInputTokens')
  const written = count('cacheWriteInputTokens')
  return {
    input_tokens: count('inputTokens') + cached + written,
    cached_input_tokens: cached,
    ...(written > 0 && { cache_write_input_tokens: written }),
    output_tokens: count('outputTokens'),
    reasoning_tokens: 0,
  }
}
