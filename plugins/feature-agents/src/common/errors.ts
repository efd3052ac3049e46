import { defineError } from '@agent-service/sdk'

/** What was asked for has to wait for the run of the chat. */
export const runInProgressError = defineError<{ readonly runId: string }>({
  code: 'run_in_progress',
  status: 409,
  title: 'Run in progress',
  message: ({ runId }) =>
    `The run ${runId} of this chat is still going on. Wait for it to end, or cancel it with POST /api/runs/${runId}/cancel, then try again.`,
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

/** A model that has nothing to say. */
export const answerEmptyError = defineError<Record<string, never>>({
  code: 'answer_empty',
  status: 502,
  title: 'Empty answer',
  message: () => 'The model answered with nothing. Ask again, or choose another model.',
})

/** The inference ended without saying that it had finished. */
export const answerBrokenError = defineError<Record<string, never>>({
  code: 'answer_broken',
  status: 502,
  title: 'Answer broke off',
  message: () => 'The answer broke off before it was finished. Send the message again.',
})

/** A chat that was forked again and again. */
export const tooManyBranchesError = defineError<{ readonly limit: number }>({
  code: 'too_many_branches',
  status: 409,
  title: 'Too many branches',
  message: ({ limit }) => `This chat has ${limit} branches already. Go on in one of them, or begin a new chat.`,
})

/** More was written to a run than it has taken in. */
export const inboxFullError = defineError<{ readonly limit: number }>({
  code: 'run_inbox_full',
  status: 409,
  title: 'Messages are waiting',
  message: ({ limit }) => `${limit} messages wait for the run of this chat already. Wait until it has taken them in, or cancel it.`,
})

/** The message is not one that can be answered anew. */
export const notReplaceableError = defineError<Record<string, never>>({
  code: 'message_not_replaceable',
  status: 409,
  title: 'Message cannot be replaced',
  message: () => 'Only a message of a person in the branch that is shown can be written or answered anew. Switch to its branch first.',
})

/** A chat that is found through another chat's run alone. */
export const hiddenChatError = defineError<Record<string, never>>({
  code: 'chat_hidden',
  status: 409,
  title: 'Chat not listed',
  message: () => 'This chat belongs to a run of another chat and is in no list, so it cannot be archived. Archive that other chat.',
})

/** There is nothing that a summary of a space could be made from. */
export const spaceEmptyError = defineError<Record<string, never>>({
  code: 'space_empty',
  status: 409,
  title: 'Nothing to summarise',
  message: () => 'No chat of this space has messages yet. Put a chat into it with PATCH /api/chats/{chat_id} and space_id, then try again.',
})

/** Two summaries of one space at the same time would be of the same messages. */
export const spaceSummaryInProgressError = defineError<Record<string, never>>({
  code: 'space_summary_in_progress',
  status: 409,
  title: 'Being summarised',
  message: () => 'This space is being summarised already. Wait for it to end.',
})

/** One import of a user goes on at a time. */
export const importInProgressError = defineError<Record<string, never>>({
  code: 'import_in_progress',
  status: 409,
  title: 'Import in progress',
  message: () => 'A chat of yours is being imported already. Wait for it to end, then try again.',
})

/** The model that was to summarise a space could not, for a reason outside the service. */
export const spaceSummaryFailedError = defineError<{ readonly reason: string }>({
  code: 'space_summary_failed',
  status: 503,
  title: 'No summary',
  message: ({ reason }) =>
    `The summary could not be made: ${reason} Nothing has changed; try again, or choose another model group for your first agent.`,
})

/** The same key with another message. The host says the same where it still knows the request. */
export const idempotencyKeyReusedError = defineError<Record<string, never>>({
  code: 'idempotency_key_reused',
  status: 422,
  title: 'Idempotency key reused',
  message: () => 'This Idempotency-Key was used with another message. Use a new key for each message.',
})
