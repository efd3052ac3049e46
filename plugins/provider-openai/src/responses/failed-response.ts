import type { JsonObject } from '@agent-service/sdk'
import {
  callFailure,
  classifyFailure,
  createResponseHeaders,
  isObject,
  objectAt,
  readErrorValue,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { failureSigns } from '../connection/failure-signs.js'

/**
 * Fails with an error that came inside an answer, in either of its shapes: its members at the root,
 * or in `error`. @throws a call failure.
 */
export function failWithEvent(event: JsonObject): never {
  if (isObject(event['error']) || typeof event['error'] === 'string') fail({ error: event['error'] })
  const { code, message } = event
  fail({ error: { ...(code !== undefined && { code }), message: message ?? 'The vendor sent an error without a message.' } })
}

/** Fails if a response reports that it failed or was cancelled. @throws a call failure. */
export function failIfFailed(response: JsonObject): void {
  const status = textAt(response, 'status')
  const error = objectAt(response, 'error')
  if (error) fail({ error })
  if (status === 'failed') fail({ error: { message: 'The vendor reported a failed response without a reason.' } })
  if (status === 'cancelled') fail({ error: { message: 'The vendor cancelled the response.' } })
}

function fail(body: JsonObject): never {
  const report = classifyFailure({
    status: 200,
    headers: createResponseHeaders({}),
    body: readErrorValue(body),
    now: Date.now(),
    signs: failureSigns,
  })
  throw callFailure(report)
}
