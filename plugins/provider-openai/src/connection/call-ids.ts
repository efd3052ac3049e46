import { createHash } from 'node:crypto'

/**
 * An id of a call that is no longer than the vendor takes. A longer one, as other vendors give, becomes a hash of itself, so that call and result always
 * agree.
 */
export function fittingCallId(id: string, limit: number): string {
  return id.length <= limit ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`
}
