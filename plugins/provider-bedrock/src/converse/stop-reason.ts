import type { StopReason } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure } from '@agent-service/sdk/provider-kit'

const words: Readonly<Record<string, StopReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
  refusal: 'refusal',
}

/**
 * The stop reason in the project's vocabulary; calls take precedence over the vendor's normal end.
 */
export function stopReasonOf(raw: string, hasCalls: boolean): StopReason {
  const reason = words[raw] ?? 'other'
  if (reason === 'stop' || reason === 'tool_calls') return hasCalls ? 'tool_calls' : 'stop'
  return reason
}

/** The answer reached a limit: its last part may be incomplete. */
export const isCutByLimit = (raw: string): boolean => words[raw] === 'length'

/**
 * Fails if the stop reason says that the answer is malformed. @throws a call failure that may be
 * retried.
 */
export function failIfMalformed(raw: string): void {
  if (!raw.startsWith('malformed_')) return
  throw callFailure({
    failure: 'invalid_response',
    retryable: true,
    reason: `The model ended its answer with “${raw}”.`,
    providerCode: raw,
  })
}
