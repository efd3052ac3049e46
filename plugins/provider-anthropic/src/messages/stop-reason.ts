import type { StopReason } from '@agent-service/sdk/contracts/provider-adapter'

const words: Readonly<Record<string, StopReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
  // The vendor's own tools are running: send the answer back unchanged to continue.
  pause_turn: 'other',
}

/**
 * The stop reason in the project's vocabulary; calls take precedence over the vendor's normal end.
 */
export function stopReasonOf(raw: string, found: { readonly toolCalls: boolean }): StopReason {
  const reason = Object.hasOwn(words, raw) ? (words[raw] ?? 'other') : 'other'
  if (reason === 'length' || reason === 'refusal' || raw === 'pause_turn') return reason
  if (found.toolCalls) return 'tool_calls'
  return reason === 'tool_calls' ? 'stop' : reason
}
