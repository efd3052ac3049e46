import { ServiceError } from '@agent-service/sdk'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { ResolvedTarget } from '../targets/resolve-target.js'
import { namingLimit } from './expired-limit.js'

/**
 * The provider error for what an adapter threw: its own provider errors, of which time-outs name
 * their setting, any other error as the cause.
 */
export function attemptFailure({ lease, request }: ResolvedTarget, error: unknown): ServiceError {
  const fail = (failure: 'transport' | 'invalid_response', reason: string): ServiceError =>
    providerError.create(
      { failure, retryable: false, connection: request.connection.handle, model: request.model, reason },
      { cause: error },
    )
  if (lease.signal.aborted) return fail('transport', 'The plugin that calls this provider was stopped.')
  if (providerError.isInstance(error)) return namingLimit(error, request.timeouts)
  return fail(
    'invalid_response',
    ServiceError.isInstance(error) ? error.message : 'The adapter failed in an unexpected way; the log has the details.',
  )
}

/** The provider error for an adapter that ended without a finished answer. */
export const unfinished = ({ request }: ResolvedTarget): ServiceError =>
  providerError.create({
    failure: 'truncated',
    retryable: true,
    connection: request.connection.handle,
    model: request.model,
    reason: 'The adapter ended without a finished answer.',
  })

/** The provider error for a target that is skipped because its connection keeps failing. */
export const skippedFailure = (handle: string, model: string): ServiceError =>
  providerError.create({
    failure: 'overloaded',
    retryable: true,
    connection: handle,
    model,
    reason: 'Its last calls failed, so the next model is called at once. It is retried soon.',
  })

/**
 * The provider error for a target whose vendor would refuse the call for longer than the longest
 * wait.
 */
export const connectionHeldFailure = (handle: string, model: string, waitMs: number): ServiceError =>
  providerError.create({
    failure: 'rate_limited',
    retryable: true,
    connection: handle,
    model,
    reason: 'The vendor reported that its rate limit is used up for now.',
    retryAfterMs: Math.ceil(waitMs),
  })

/** Failures that concern this call alone: the vendor answered, so the next call may succeed. */
const ofThisCall: ReadonlySet<string> = new Set(['bad_request', 'content_filtered', 'context_overflow', 'model_not_found', 'rate_limited'])

/** Whether a failure indicates that the connection itself does not work. */
export const isConnectionFailure = (error: ServiceError): boolean =>
  providerError.isInstance(error) && !ofThisCall.has(String(error.details['failure']))

/**
 * Whether a fallback may succeed after a failure. Not when the conversation is too long: it has to
 * become shorter first, and a fallback does not change the context limit.
 */
export const mayFallBack = (error: ServiceError): boolean =>
  !providerError.isInstance(error) || error.details['failure'] !== 'context_overflow'
