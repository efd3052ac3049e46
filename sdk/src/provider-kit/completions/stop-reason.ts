import type { StopReason } from '../../contracts/provider-adapter/index.js'

const words: Readonly<Record<string, StopReason>> = {
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  model_length: 'length',
  max_tokens: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  tool_use: 'tool_calls',
  content_filter: 'content_filter',
  refusal: 'refusal',
}

/**
 * The stop reason in the project's vocabulary; calls take precedence over the vendor's normal end.
 */
export function stopReasonOf(raw: string, found: { readonly toolCalls: boolean; readonly refusal: boolean }): StopReason {
  const reason = words[raw] ?? 'other'
  if (reason === 'length' || reason === 'content_filter') return reason
  if (found.refusal) return 'refusal'
  if (found.toolCalls) return 'tool_calls'
  return reason === 'tool_calls' ? 'stop' : reason
}
