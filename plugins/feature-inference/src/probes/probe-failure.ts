import { ServiceError } from '@agent-service/sdk'
import { type ProviderFailure, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { credentialMissingError, credentialUnusableError } from '@agent-service/sdk/services/inference'

/**
 * Why a test failed: as the provider's failures, and `wrong_address` (something answers there, but
 * not this API), `no_models` (the provider offers none), `key_missing` and `unusable` (the
 * configuration of the connection, before any call).
 */
export type ProbeFailureKind = ProviderFailure | 'wrong_address' | 'no_models' | 'key_missing' | 'unusable' | 'internal'

/** The kinds, for schemas. */
export const probeFailureKinds = [
  ...['authentication', 'quota_exceeded', 'rate_limited', 'overloaded', 'transport', 'timeout', 'truncated', 'context_overflow'],
  ...['bad_request', 'model_not_found', 'content_filtered', 'invalid_response', 'wrong_address', 'no_models', 'key_missing', 'unusable'],
  'internal',
] as const satisfies readonly string[]

/** Why a test failed. */
export interface ProbeFailure {
  readonly kind: ProbeFailureKind
  /** One sentence for people, without a secret. */
  readonly message: string
}

/** Describes an error; `secret` is masked, although adapters keep keys out of their errors. */
export function probeFailureOf(error: unknown, secret: string | undefined): ProbeFailure {
  const failure = describe(error)
  return secret === undefined || secret === '' ? failure : { ...failure, message: failure.message.replaceAll(secret, '[redacted]') }
}

function describe(error: unknown): ProbeFailure {
  if (providerError.isInstance(error)) {
    const { failure, reason } = error.details as { readonly failure: ProviderFailure; readonly reason: string }
    return { kind: failure, message: reason }
  }
  if (credentialMissingError.isInstance(error)) return { kind: 'key_missing', message: error.message }
  if (credentialUnusableError.isInstance(error)) return { kind: 'unusable', message: error.message }
  if (ServiceError.isInstance(error)) return { kind: 'unusable', message: error.message }
  return { kind: 'internal', message: 'The call failed unexpectedly. The log has the details.' }
}

/** A failure of asking for the list of models, where something else than this API answers. */
export function isOtherApi(error: unknown): boolean {
  if (!providerError.isInstance(error)) return false
  const { failure, httpStatus } = error.details as { readonly failure: ProviderFailure; readonly httpStatus?: number }
  return failure === 'invalid_response' || httpStatus === 404 || httpStatus === 405 || (httpStatus !== undefined && httpStatus < 400)
}
