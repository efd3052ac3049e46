import type { JsonObject } from '@agent-service/sdk'
import { callFailure, classifyFailure, createResponseHeaders, type FailureSign, readErrorValue } from '@agent-service/sdk/provider-kit'

/** Signs in this vendor's errors, beyond those that all vendors share. */
export const failureSigns: readonly FailureSign[] = [
  { failure: 'quota_exceeded', codes: ['billing_error'], text: /credit balance is too low|reached your specified API usage limits/i },
  { failure: 'content_filtered', text: /blocked by content filtering policy/i },
  { failure: 'context_overflow', codes: ['request_too_large'], exceptStatuses: [429] },
  { failure: 'context_overflow', text: /input length and `?max_tokens`? exceed context limit/i },
  { failure: 'authentication', codes: ['permission_error'] },
  { failure: 'model_not_found', codes: ['not_found_error'] },
]

/** Throws the error that an answer contains. @throws a call failure. */
export function failWith(error: JsonObject): never {
  const headers = createResponseHeaders({})
  throw callFailure(classifyFailure({ status: 200, headers, body: readErrorValue(error), now: Date.now(), signs: failureSigns }))
}
