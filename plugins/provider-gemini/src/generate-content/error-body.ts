import type { JsonValue } from '@agent-service/sdk'
import {
  callFailure,
  classifyFailure,
  createResponseHeaders,
  type ErrorBody,
  type FailureSign,
  isObject,
  listAt,
  objectAt,
  readErrorText,
  readErrorValue,
  textAt,
} from '@agent-service/sdk/provider-kit'

/** Signs in this vendor's errors, beyond those that all vendors share. */
export const failureSigns: readonly FailureSign[] = [
  { failure: 'authentication', codes: ['api_key_invalid', 'unauthenticated'] },
  { failure: 'context_overflow', text: /input token count .{0,40}exceeds the maximum number of tokens/i },
  { failure: 'overloaded', codes: ['internal', 'deadline_exceeded'] },
]

/** Reads a refusal from its text. */
export const readRefusal = (text: string): ErrorBody => withDetails(readErrorText(text))

/** Throws the error that an answer contains. @throws a call failure. */
export function failWith(error: JsonValue): never {
  const headers = createResponseHeaders({})
  throw callFailure(
    classifyFailure({ status: 200, headers, body: withDetails(readErrorValue(error)), now: Date.now(), signs: failureSigns }),
  )
}

/**
 * Adds the status name, the reasons in the details, and when a retry may succeed. A stream that is
 * a list has its errors in a list.
 */
function withDetails(body: ErrorBody): ErrorBody {
  const error = objectAt(Array.isArray(body.raw) ? body.raw[0] : body.raw, 'error')
  const details = listAt(error, 'details')
  const reasons = details.map((detail) => textAt(detail, 'reason'))
  const codes = [textAt(error, 'status'), ...reasons]
  const delay = details
    .map((detail) => secondsIn(isObject(detail) ? detail['retryDelay'] : undefined))
    .find((seconds) => seconds !== undefined)
  return {
    ...body,
    codes: [...codes.flatMap((code) => (code === undefined ? [] : [code.toLowerCase()])), ...body.codes],
    ...(delay !== undefined && { retryAfterMs: Math.ceil(delay * 1_000) }),
  }
}

/** `34.4s`, or separate seconds and nanoseconds, as other clients of this API receive them. */
function secondsIn(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string') return /^\d+(\.\d+)?s$/.test(value) ? Number(value.slice(0, -1)) : undefined
  if (!isObject(value)) return undefined
  const seconds = Number(value['seconds'] ?? 0) + Number(value['nanos'] ?? 0) / 1e9
  return Number.isFinite(seconds) ? seconds : undefined
}
