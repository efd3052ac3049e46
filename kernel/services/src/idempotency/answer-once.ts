import type { Idempotency, KeyedRequest } from '@agent-service/kernel-core/http/idempotency'
import type { RouteResponse } from '@agent-service/sdk/contracts/http-route'
import { idempotencyInProgressError, idempotencyKeyReusedError } from './errors.js'
import type { IdempotencyStore, StoredAnswer } from './idempotency-store.js'

/** Answers requests once, with the responses that a store keeps. */
export const createIdempotency = (store: IdempotencyStore): Idempotency => ({
  answerOnce: (respond, request) => answerOnce(store, respond, request),
})

/**
 * Runs `respond`, or returns the response that the first request with the key got. A response that
 * cannot be replayed (a stream, a failure of the service) is not stored, and the next request with
 * the key runs.
 *
 * @throws `idempotency_key_reused`, `idempotency_in_progress`
 */
async function answerOnce(store: IdempotencyStore, respond: () => Promise<RouteResponse>, request: KeyedRequest): Promise<RouteResponse> {
  const decision = await store.begin(request)
  switch (decision.kind) {
    case 'mismatch':
      throw idempotencyKeyReusedError.create({})
    case 'busy':
      throw idempotencyInProgressError.create({}, { retryAfterSeconds: decision.retryAfterSeconds })
    case 'replay':
      return toResponse(decision.answer)
    case 'run':
      try {
        const response = await respond()
        const answer = toStored(response)
        if (answer) await decision.finish(answer)
        else await decision.abandon()
        return response
      } catch (error) {
        await decision.abandon()
        throw error
      }
  }
}

function toStored(response: RouteResponse): StoredAnswer | undefined {
  if (response.status >= 500 || (response.kind !== 'json' && response.kind !== 'empty')) return undefined
  const { status, headers = {} } = response
  return response.kind === 'json' ? { status, headers, json: response.json } : { status, headers }
}

function toResponse(answer: StoredAnswer): RouteResponse {
  const { status, json } = answer
  const headers = { ...answer.headers, 'idempotency-replayed': 'true' }
  return json === undefined ? { status, headers, kind: 'empty' } : { status, headers, kind: 'json', json }
}
