import type { EndReason } from '@agent-service/kernel-core/http/request'
import { ServiceError } from '@agent-service/sdk'

/**
 * Why a connection ends: a close code of RFC 6455 or its registry, and a reason of at most 123
 * bytes.
 */
export interface Ending {
  readonly code: number
  readonly reason: string
}

/** Endings by the service. */
export const endings = {
  done: { code: 1000, reason: '' },
  wrongKind: { code: 1003, reason: 'unsupported_data' },
  invalidJson: { code: 1007, reason: 'malformed_json' },
  tooFast: { code: 1008, reason: 'rate_limited' },
  idle: { code: 1008, reason: 'idle' },
  slowReader: { code: 1008, reason: 'slow_reader' },
  failed: { code: 1011, reason: 'internal_error' },
} as const satisfies Readonly<Record<string, Ending>>

/** The ending for the reason why the service ends an exchange. */
export function endingOf(reason: EndReason): Ending {
  switch (reason) {
    case 'credential_ended':
    case 'displaced':
      return { code: 1008, reason }
    case 'stopping':
      return { code: 1001, reason }
    case 'draining':
    case 'restarting':
      return { code: 1012, reason }
  }
}

/**
 * The ending for an error of a handler: errors of this project below 500 by their code, all others
 * without details.
 */
export const endingOfError = (error: unknown): Ending =>
  ServiceError.isInstance(error) && error.status < 500 ? { code: 1008, reason: cutReason(error.code) } : endings.failed

/** The beginning of a text, cut to fit into a close frame. */
export function cutReason(text: string): string {
  const bytes = Buffer.from(text)
  return bytes.byteLength <= 123
    ? bytes.toString()
    : bytes
        .subarray(0, 123)
        .toString()
        .replace(/\ufffd+$/, '')
}

/** @throws a `RangeError` if a handler may not use the code, or if the reason is too long */
export function checkEnding({ code, reason }: Ending): void {
  const allowed = code === 1000 || code === 1008 || code === 1011 || (Number.isInteger(code) && code >= 3000 && code <= 4999)
  if (!allowed) throw new RangeError(`The close code ${String(code)} is not permitted; expected 1000, 1008, 1011 or 3000 to 4999.`)
  if (Buffer.byteLength(reason) > 123)
    throw new RangeError(`The close reason has ${Buffer.byteLength(reason)} bytes; expected at most 123.`)
}
