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

/** Reasons that stand for a failure of the model which another attempt may mend: it wrote a call that is none. */
export const failedReasons: ReadonlySet<string> = new Set(['MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE'])

/** The stop reason in the project's vocabulary; calls end an answer with the vendor's word for a normal end. */
export function stopReasonOf(raw: string, found: { readonly toolCalls: boolean }): StopReason {
  const reason = Object.hasOwn(words, raw) ? (words[raw] ?? 'other') : 'other'
  return reason === 'stop' && found.toolCalls ? 'tool_calls' : reason
}
