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

/** Added to the codes if a daily quota is used up, which is not worth waiting for. */
const quotaOfTheDay = 'quota_per_day'

/**
 * Signs in this vendor's errors, beyond those that all vendors share. Its text mentions quota and
 * billing for every limit, so the codes come first.
 */
export const failureSigns: readonly FailureSign[] = [
  { failure: 'quota_exceeded', codes: [quotaOfTheDay] },
  { failure: 'quota_exceeded', text: /credits are depleted|limit: 0\b/i, statuses: [429] },
  { failure: 'rate_limited', codes: ['resource_exhausted'] },
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
  const quotas = details.flatMap((detail) => listAt(detail, 'violations')).map((violation) => textAt(violation, 'quotaId') ?? '')
  const codes = [textAt(error, 'status'), ...reasons, quotas.some((quota) => /PerDay/i.test(quota)) ? quotaOfTheDay : undefined]
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
