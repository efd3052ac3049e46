import { defineError } from '@agent-service/sdk'

/** One chat has one run at a time. */
export const runInProgressError = defineError<{ readonly runId: string }>({
  code: 'run_in_progress',
  status: 409,
  title: 'Run in progress',
  message: ({ runId }) =>
    `The run ${runId} of this chat is still going on. Wait for it to end, or cancel it with POST /api/runs/${runId}/cancel, then send the message again.`,
})

/** The user has no agent to talk to. */
export const noAgentError = defineError<Record<string, never>>({
  code: 'no_agent',
  status: 409,
  title: 'No agent',
  message: () => 'There is no enabled agent to talk to. Make one with POST /api/agents, or name another with agent_id.',
})

/** A handle that the user already gave to another agent. */
export const handleTakenError = defineError<{ readonly handle: string }>({
  code: 'agent_handle_taken',
  status: 409,
  title: 'Handle taken',
  message: ({ handle }) => `You already have an agent “${handle}”. Choose another handle.`,
})

/** Too much work of one user waits already. */
export const tooManyRunsError = defineError<{ readonly limit: number }>({
  code: 'too_many_runs',
  status: 429,
  title: 'Too many runs',
  message: ({ limit }) => `${limit} runs of yours are queued or going on. Wait for one to end, or cancel one.`,
})

/** A model that does not stop writing. */
export const answerTooLongError = defineError<{ readonly limit: string }>({
  code: 'answer_too_long',
  status: 502,
  title: 'Answer too long',
  message: ({ limit }) => `The model's answer grew beyond ${limit} and was stopped. Set max_tokens on its model group.`,
})

/** A message that no store could keep as one document. */
export const messageTooLongError = defineError<{ readonly bytes: number; readonly limit: number }>({
  code: 'message_too_long',
  status: 413,
  title: 'Message too long',
  message: ({ bytes, limit }) => `The message has ${bytes} bytes as JSON, more than ${limit}. Send it in pieces.`,
})

/** The inference ended without saying that it had finished. */
export const answerBrokenError = defineError<Record<string, never>>({
  code: 'answer_broken',
  status: 502,
  title: 'Answer broke off',
  message: () => 'The answer broke off before it was finished. Send the message again.',
})
