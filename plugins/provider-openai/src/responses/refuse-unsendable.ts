import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure } from '@agent-service/sdk/provider-kit'

/** Settings that the endpoint for signed-in accounts does not take. */
const accountSettings: readonly string[] = ['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'top_logprobs']

/**
 * Refuses what the endpoint cannot be sent and what may not be left out, before the call. @throws a
 * call failure.
 */
export function refuseUnsendable({ connection, required = [], logprobs }: ModelRequest): void {
  if (connection.accountId === undefined) return
  const unsendable = [...accountSettings.filter((name) => required.includes(name)), ...(logprobs ? ['logprobs'] : [])]
  if (unsendable.length === 0) return
  const reason = `The account that this connection signs in with takes no ${unsendable.join(', ')}. Leave it out, or use an API key.`
  throw callFailure({ failure: 'bad_request', retryable: false, reason })
}
