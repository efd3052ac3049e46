import { createHash } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * The id under which a tool call goes on the wire. A brand that wants an exact length gets foreign ids as a hash of themselves, so that call and
 * result always agree.
 */
export function wireToolCallId(id: string, length: number | undefined): string {
  if (length === undefined || (id.length === length && /^[A-Za-z0-9]+$/.test(id))) return id
  const bytes = createHash('sha256').update(id).digest()
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('')
}
