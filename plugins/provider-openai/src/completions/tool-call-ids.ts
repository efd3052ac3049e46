import { createHash } from 'node:crypto'
import { fittingCallId } from '../connection/call-ids.js'
import type { CompletionsQuirks } from './quirks.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * The id under which a tool call goes on the wire. A brand that wants an exact length gets foreign ids as a hash of themselves, so that call and
 * result always agree; one that has a longest length gets longer ones so.
 */
export function wireToolCallId(id: string, quirks: Pick<CompletionsQuirks, 'toolCallIdLength' | 'toolCallIdMaxLength'>): string {
  const { toolCallIdLength: length, toolCallIdMaxLength: maxLength } = quirks
  if (length === undefined) return maxLength === undefined ? id : fittingCallId(id, maxLength)
  if (id.length === length && /^[A-Za-z0-9]+$/.test(id)) return id
  const bytes = createHash('sha256').update(id).digest()
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('')
}
