import type { StopReason } from '@agent-service/sdk/contracts/provider-adapter'

const words: Readonly<Record<string, StopReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
  ERROR_TOXIC: 'content_filter',
}

/**
 * The stop reason in the project's vocabulary; calls take precedence over the vendor's normal end.
 */
export function stopReasonOf(raw: string, hasCalls: boolean): StopReason {
  const reason = words[raw] ?? 'other'
  if (reason === 'length' || reason === 'content_filter') return reason
  if (hasCalls) return 'tool_calls'
  return reason === 'tool_calls' ? 'stop' : reason
}
