import { defineError } from '@agent-service/sdk'

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
  'run_cancelled',
  'context_overflow',
  'budget_exceeded',
  'tool_turn_limit',
  'run_overdue',
])

/** The error for the caller of a run that failed. */
export const agentFailure = ({ code, message }: { readonly code: string; readonly message: string }) =>
  (permanentFailures.has(code) ? agentRunRefusedError : agentRunFailedError).create({ reason: message, failure: code })
