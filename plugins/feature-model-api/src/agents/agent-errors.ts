import { defineError, type ServiceError } from '@agent-service/sdk'
import type { RunFailure } from '@agent-service/sdk/services/runs'
import { upstreamError } from '../openai-error.js'

/**
 * A run of an agent failed. Its effects remain, so an automatic retry of a client is only safe if
 * the agent's tools allow it.
 */
export const agentRunFailedError = defineError<{ readonly reason: string; readonly failure: string }>({
  code: 'agent_run_failed',
  status: 503,
  title: 'Agent failed',
  message: ({ reason, failure }) => `${reason} (${failure})`,
})

/** A run that would end the same way on a retry: it was stopped, or the request is at fault. */
export const agentRunRefusedError = defineError<{ readonly reason: string; readonly failure: string }>({
  code: 'agent_run_refused',
  status: 400,
  title: 'Agent stopped',
  message: ({ reason, failure }) => `${reason} (${failure})`,
})

/** Text that a client has received was withdrawn, which the protocols cannot express. */
export const answerWithdrawnError = defineError<Record<string, never>>({
  code: 'answer_taken_back',
  status: 503,
  title: 'Answer restarted',
  message: () => 'The answer was restarted, so the text received so far is void. Send the request again.',
})

/** `previous_response_id` names no response of this agent that is still known. */
export const previousResponseError = defineError<{ readonly id: string }>({
  code: 'previous_response_not_found',
  status: 400,
  title: 'No such response',
  message: ({ id }) =>
    `The response “${id}” of this agent cannot be continued: it was not stored, is too old, or its chat was deleted. Send the whole conversation as input.`,
})

const permanentFailures: ReadonlySet<string> = new Set([
  ...['run_cancelled', 'context_overflow', 'budget_exceeded', 'tool_turn_limit', 'run_overdue', 'run_result_invalid', 'run_poisoned'],
  // Asked again, the model would use up its limit again, and be filtered again.
  ...['answer_cut', 'answer_withheld'],
  ...['credential_missing', 'credential_unusable', 'model_group_unusable', 'model_group_unknown', 'agent_gone', 'account_closed'],
])

/** The error for the caller of a run that failed. That of a vendor keeps its status. */
export function agentFailure({ code, message, providerFailure, retryAfterSeconds }: RunFailure): ServiceError {
  const details = { reason: message, failure: code }
  if (permanentFailures.has(code)) return agentRunRefusedError.create(details)
  const upstream = providerFailure && upstreamError(providerFailure, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  return upstream && upstream.status < 500 ? upstream : agentRunFailedError.create(details)
}
