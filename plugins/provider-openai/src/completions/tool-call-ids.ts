import { createHash } from 'node:crypto'
import { fittingCallId } from '../connection/call-ids.js'
import type { CompletionsQuirks } from './quirks.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * The wire id of a tool call. For a brand with a fixed length, foreign ids become a hash, so that
 * call and result always agree; for a brand with a maximum length, only longer ones do.
 */
export function wireToolCallId(id: string, quirks: Pick<CompletionsQuirks, 'toolCallIdLength' | 'toolCallIdMaxLength'>): string {
  const { toolCallIdLength: length, toolCallIdMaxLength: maxLength } = quirks
  if (length === undefined) return maxLength === undefined ? id : fittingCallId(id, maxLength)
  if (id.length === length && /^[A-Za-z0-9]+$/.test(id)) return id
  const bytes = createHash('sha256').update(id).digest()
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('')
}
