import type { ProviderFailure } from '@agent-service/sdk/contracts/provider-adapter'

/** A failure as it was read from an answer, before it becomes an error. */
export interface FailureReport {
  readonly failure: ProviderFailure
  readonly retryable: boolean
  /** The vendor's text, not yet cut or redacted. */
  readonly reason: string
  readonly httpStatus?: number
  readonly providerCode?: string
  readonly providerRequestId?: string
  readonly retryAfterMs?: number
}
