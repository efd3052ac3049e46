import type { StopReason } from '@agent-service/sdk/contracts/provider-adapter'

const words: Readonly<Record<string, StopReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  MODEL_ARMOR: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
  IMAGE_RECITATION: 'content_filter',
}

/** Reasons that mean a malformed call; a retry may succeed. */
export const failedReasons: ReadonlySet<string> = new Set(['MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE'])

/**
 * The stop reason in the project's vocabulary; an answer with calls ends with the vendor's normal
 * end.
 */
export function stopReasonOf(raw: string, found: { readonly toolCalls: boolean }): StopReason {
  const reason = Object.hasOwn(words, raw) ? (words[raw] ?? 'other') : 'other'
  return reason === 'stop' && found.toolCalls ? 'tool_calls' : reason
}
