import type { ExpiredWait, ProviderFailure, RateLimit } from '../../contracts/provider-adapter/index.js'

/** A failure as it was read from an answer, before it becomes an error. */
export interface FailureReport {
  /** Its kind. */
  readonly failure: ProviderFailure
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  /** The vendor's text, not yet cut or redacted. */
  readonly reason: string
  /** The status of the answer, or the one that its body names. */
  readonly httpStatus?: number
  /** The vendor's code, in lower case. */
  readonly providerCode?: string
  /** The vendor's name for the request. */
  readonly providerRequestId?: string
  /** When a retry may succeed according to the vendor. */
  readonly retryAfterMs?: number
  /** The vendor's limits, from the headers. */
  readonly rateLimits?: readonly RateLimit[]
  /** Which limit of the call a time-out has passed. */
  readonly expiredWait?: ExpiredWait
}
