import { createHash } from 'node:crypto'

/**
 * A call id within the vendor's maximum length. A longer id of another vendor becomes a hash, so
 * that call and result always agree.
 */
export function fittingCallId(id: string, limit: number): string {
  return id.length <= limit ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`
}
