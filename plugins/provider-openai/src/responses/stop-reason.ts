import type { JsonObject } from '@agent-service/sdk'
import type { StopReason } from '@agent-service/sdk/contracts/provider-adapter'
import { objectAt, textAt } from '@agent-service/sdk/provider-kit'

/** Why the response ended, in the vendor's words: why it is incomplete, else its status. */
export const rawStopReason = (response: JsonObject): string =>
  textAt(objectAt(response, 'incomplete_details'), 'reason') ?? textAt(response, 'status') ?? 'completed'

/**
 * The stop reason in the project's vocabulary. Calls have no status of their own: their presence
 * decides.
 */
export function stopReasonOf(raw: string, found: { readonly toolCalls: boolean; readonly refusal: boolean }): StopReason {
  if (raw === 'max_output_tokens' || raw === 'max_tokens') return 'length'
  if (raw === 'content_filter') return 'content_filter'
  if (raw !== 'completed') return 'other'
  if (found.refusal) return 'refusal'
  return found.toolCalls ? 'tool_calls' : 'stop'
}
