import { defineError } from '../../core/errors.js'
import type { RateLimit } from './events.js'

/** The kind of a provider failure; determines whether a retry or another target can help. */
export type ProviderFailure =
  | 'authentication'
  | 'quota_exceeded'
  | 'rate_limited'
  | 'overloaded'
  | 'transport'
  | 'timeout'
  | 'truncated'
  | 'context_overflow'
  | 'bad_request'
  | 'model_not_found'
  | 'content_filtered'
  | 'invalid_response'

/** The limits of {@link ModelTimeouts} that a call can pass. */
export type ExpiredWait = 'connect' | 'first_token' | 'idle' | 'total'

/**
 * A model call failed. `reason` is the vendor's text, cut at 2,000 characters, free of keys and of
 * the request's content. `retryable` says whether the same call may succeed later, `retryAfterMs`
 * when, `rateLimits` what the vendor's headers report about its limits, `expiredWait` which limit a
 * `timeout` has passed.
 */
export const providerError = defineError<{
  readonly failure: ProviderFailure
  readonly retryable: boolean
  readonly connection: string
  readonly model: string
  readonly reason: string
  readonly httpStatus?: number
  readonly providerCode?: string
  readonly providerRequestId?: string
  readonly retryAfterMs?: number
  readonly rateLimits?: readonly RateLimit[]
  readonly expiredWait?: ExpiredWait
}>({
  code: 'provider_error',
  status: 502,
  title: 'Model call failed',
  message: ({ connection, model, failure, reason, httpStatus }) =>
    `The call of ${model} through “${connection}” failed (${failure}${httpStatus === undefined ? '' : `, HTTP ${httpStatus}`}): ${reason}`,
})
