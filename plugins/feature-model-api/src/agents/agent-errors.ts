import { defineError } from '@agent-service/sdk'

/** A run of an agent failed. What it had done stays done, so a client that tries again by itself does no harm only where the agent's tools allow it. */
export const agentRunFailedError = defineError<{ readonly reason: string; readonly failure: string }>({
  code: 'agent_run_failed',
  status: 503,
  title: 'Agent failed',
  message: ({ reason, failure }) => `${reason} (${failure})`,
})

/** A run that ends the same way when it is asked for again: somebody stopped it, or the request is at fault. */
export const agentRunRefusedError = defineError<{ readonly reason: string; readonly failure: string }>({
  code: 'agent_run_refused',
  status: 400,
  title: 'Agent stopped',
  message: ({ reason, failure }) => `${reason} (${failure})`,
})

/** Text that a client has was taken back, for which the protocols have no word. */
export const answerWithdrawnError = defineError<Record<string, never>>({
  code: 'answer_taken_back',
  status: 503,
  title: 'Answer begun anew',
  message: () => 'The answer was begun anew, so what came so far does not count. Ask again.',
})

/** `previous_response_id` names no response of this agent that is still known. */
export const previousResponseError = defineError<{ readonly id: string }>({
  code: 'previous_response_not_found',
  status: 400,
  title: 'No such response',
  message: ({ id }) =>
    `There is no response “${id}” of this agent to go on from: it was not kept, is too old, or its chat was deleted. Send the whole conversation as input.`,
})

const notWorthAnotherTry: ReadonlySet<string> = new Set([
  'run_cancelled',
  'context_overflow',
  'budget_exceeded',
  'tool_turn_limit',
  'run_overdue',
])

/** What the caller is told of a run that failed. */
export const agentFailure = ({ code, message }: { readonly code: string; readonly message: string }) =>
  (notWorthAnotherTry.has(code) ? agentRunRefusedError : agentRunFailedError).create({ reason: message, failure: code })
