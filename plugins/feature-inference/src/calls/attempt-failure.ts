import { ServiceError } from '@agent-service/sdk'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { ResolvedTarget } from './resolve-target.js'

/** The provider error for what an adapter threw; its own provider errors as they are, the words of any other error only as the cause. */
export function attemptFailure({ lease, request }: ResolvedTarget, error: unknown): ServiceError {
  const fail = (failure: 'transport' | 'invalid_response', reason: string): ServiceError =>
    providerError.create(
      { failure, retryable: false, connection: request.connection.handle, model: request.model, reason },
      { cause: error },
    )
  if (lease.signal.aborted) return fail('transport', 'The plugin that calls this provider was stopped.')
  if (providerError.isInstance(error)) return error
  return fail(
    'invalid_response',
    ServiceError.isInstance(error) ? error.message : 'The adapter failed in an unexpected way; the log has the details.',
  )
}

/** The provider error of an adapter that ended without a finished answer. */
export const unfinished = ({ request }: ResolvedTarget): ServiceError =>
  providerError.create({
    failure: 'truncated',
    retryable: true,
    connection: request.connection.handle,
    model: request.model,
    reason: 'The adapter ended without a finished answer.',
  })

/** The provider error of a target that is not called now, because its connection keeps failing. */
export const skippedFailure = (handle: string, model: string): ServiceError =>
  providerError.create({
    failure: 'overloaded',
    retryable: true,
    connection: handle,
    model,
    reason: 'Its last calls failed, so the next model is asked at once; it is tried again soon.',
  })

/** The provider error of a target whose vendor would refuse the call, for longer than may be waited. */
export const connectionHeldFailure = (handle: string, model: string, waitMs: number): ServiceError =>
  providerError.create({
    failure: 'rate_limited',
    retryable: true,
    connection: handle,
    model,
    reason: 'The vendor has said that nothing is left of its limit for now.',
    retryAfterMs: Math.ceil(waitMs),
  })

/** Failures that say nothing of the next call: the vendor answered, and what it answered was about this one. */
const ofThisCall: ReadonlySet<string> = new Set(['bad_request', 'content_filtered', 'context_overflow', 'model_not_found', 'rate_limited'])

/** Whether a failure is a sign that the connection itself does not work. */
export const blamesConnection = (error: ServiceError): boolean =>
  providerError.isInstance(error) && !ofThisCall.has(String(error.details['failure']))

/**
 * Whether another target may mend a failure. Not a conversation that is too long: it has to become shorter first, and a fallback does not change the
 * context limit.
 */
export const anotherMayMend = (error: ServiceError): boolean =>
  !providerError.isInstance(error) || error.details['failure'] !== 'context_overflow'
