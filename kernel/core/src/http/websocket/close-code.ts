import { ServiceError } from '@agent-service/sdk'
import type { EndReason } from '../request/exchange.js'

/** Why a connection ends: a code of RFC 6455 or of its registry, and a reason of at most 123 bytes. */
export interface Ending {
  readonly code: number
  readonly reason: string
}

/** Of what the service does to a connection. */
export const endings = {
  done: { code: 1000, reason: '' },
  wrongKind: { code: 1003, reason: 'unsupported_data' },
  invalidJson: { code: 1007, reason: 'malformed_json' },
  tooFast: { code: 1008, reason: 'rate_limited' },
  idle: { code: 1008, reason: 'idle' },
  slowReader: { code: 1008, reason: 'slow_reader' },
  failed: { code: 1011, reason: 'internal_error' },
} as const satisfies Readonly<Record<string, Ending>>

/** Of the end that the service gives an exchange. */
export function endingOf(reason: EndReason): Ending {
  switch (reason) {
    case 'credential_ended':
    case 'displaced':
      return { code: 1008, reason }
    case 'stopping':
      return { code: 1001, reason }
    case 'draining':
      return { code: 1012, reason }
  }
}

/** Of what a handler threw: errors of this project that are meant for clients by their code, all others without a word. */
export const endingOfError = (error: unknown): Ending =>
  ServiceError.isInstance(error) && error.status < 500 ? { code: 1008, reason: cutReason(error.code) } : endings.failed

/** The beginning of a text that fits into a close frame. */
export function cutReason(text: string): string {
  const bytes = Buffer.from(text)
  return bytes.byteLength <= 123
    ? bytes.toString()
    : bytes
        .subarray(0, 123)
        .toString()
        .replace(/\ufffd+$/, '')
}

/** @throws a `RangeError` for a code that a handler may not close with, or a reason that does not fit. */
export function checkEnding({ code, reason }: Ending): void {
  const allowed = code === 1000 || code === 1008 || code === 1011 || (Number.isInteger(code) && code >= 3000 && code <= 4999)
  if (!allowed) throw new RangeError(`A connection is closed with 1000, 1008, 1011 or 3000 to 4999, not ${String(code)}.`)
  if (Buffer.byteLength(reason) > 123) throw new RangeError(`The reason has ${Buffer.byteLength(reason)} bytes; at most 123 fit.`)
}
