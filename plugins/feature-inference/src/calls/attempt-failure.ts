import { ServiceError } from '@agent-service/sdk'
import { type ModelEvent, providerError } from '@agent-service/sdk/contracts/provider-adapter'
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

/** Whether an event shows a person or a caller part of an answer. */
export const showsSomething = (event: ModelEvent): boolean => event.type !== 'response.started'
