import { ServiceError } from '@agent-service/sdk'
import { type ModelEvent, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { ResolvedTarget } from './resolve-target.js'

/**
 * One call of one adapter. Ends the adapter's iteration and releases its lease however it ends. @throws provider errors only; an abort throws the
 * signal's reason.
 */
export async function* callTarget(target: ResolvedTarget, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
  const { lease, request } = target
  const fail = (
    failure: 'transport' | 'truncated' | 'invalid_response',
    retryable: boolean,
    reason: string,
    cause?: unknown,
  ): ServiceError =>
    providerError.create(
      { failure, retryable, connection: request.connection.handle, model: request.model, reason },
      cause === undefined ? undefined : { cause },
    )
  let finished = false
  try {
    for await (const event of lease.value.call(request, { signal: AbortSignal.any([signal, lease.signal]) })) {
      finished = event.type === 'response.finished'
      yield event
      if (finished) break
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (lease.signal.aborted) throw fail('transport', false, 'The plugin that calls this provider was stopped.', error)
    if (providerError.isInstance(error)) throw error
    const reason = ServiceError.isInstance(error) ? error.message : 'The adapter failed in an unexpected way; the log has the details.'
    throw fail('invalid_response', false, reason, error)
  } finally {
    lease.release()
  }
  signal.throwIfAborted()
  if (!finished) throw fail('truncated', true, 'The adapter ended without a finished answer.')
}

/** Whether an event shows a person or a caller part of an answer. */
export const showsSomething = (event: ModelEvent): boolean => event.type !== 'response.started'
