import { defineError } from '@agent-service/sdk'

/** The request has to wait for the run of the chat. */
export const runInProgressError = defineError<{ readonly runId: string }>({
  code: 'run_in_progress',
  status: 409,
  title: 'Run in progress',
  message: ({ runId }) =>
    `The run ${runId} of this chat is still in progress. Wait for it to end, or cancel it with POST /api/runs/${runId}/cancel, then try again.`,
})

/** The user has no enabled agent. */
export const noAgentError = defineError<Record<string, never>>({
  code: 'no_agent',
  status: 409,
  title: 'No agent',
  message: () => 'You have no enabled agent to talk to. Create one with POST /api/agents, or name another with agent_id.',
})

/** Another agent of the user has this handle. */
export const handleTakenError = defineError<{ readonly handle: string }>({
  code: 'agent_handle_taken',
  status: 409,
  title: 'Handle taken',
  message: ({ handle }) => `You already have an agent with the handle “${handle}”. Choose another handle.`,
})

/** Too many runs of one user are open already. */
export const tooManyRunsError = defineError<{ readonly limit: number }>({
  code: 'too_many_runs',
  status: 429,
  title: 'Too many runs',
  message: ({ limit }) => `${limit} of your runs are queued or in progress. Wait for one to end, or cancel one.`,
})

/** The model does not stop writing. */
export const answerTooLongError = defineError<{ readonly limit: string }>({
  code: 'answer_too_long',
  status: 502,
  title: 'Answer too long',
  message: ({ limit }) => `The model's answer grew beyond ${limit} and was stopped. Set max_tokens on its model group.`,
})

/** The message does not fit into one document of the store. */
export const messageTooLongError = defineError<{ readonly bytes: number; readonly limit: number }>({
  code: 'message_too_long',
  status: 413,
  title: 'Message too long',
  message: ({ bytes, limit }) => `The message has ${bytes} bytes as JSON; at most ${limit} are allowed. Send it in parts.`,
})

/** The model stopped as if it had answered, and had said nothing: no text, no call, no image. */
export const answerEmptyError = defineError<Record<string, never>>({
  code: 'answer_empty',
  status: 502,
  title: 'Empty answer',
  message: () => 'The model returned an empty answer. Try again, or choose another model.',
})

/** The limit of the output ended an answer before it had said anything. */
export const answerCutError = defineError<Record<string, never>>({
  code: 'answer_cut',
  status: 502,
  title: 'Answer cut off',
  message: () =>
    'The model reached the limit of its output (max_tokens) before it had said anything; reasoning counts towards it. Raise the limit of the agent or of the model group, lower the reasoning effort, or ask for less.',
})

/** The vendor’s filter withheld the whole answer, or the model refused without a word. */
export const answerWithheldError = defineError<{ readonly by: 'filter' | 'model' }>({
  code: 'answer_withheld',
  status: 502,
  title: 'Answer withheld',
  message: ({ by }) =>
    `${by === 'filter' ? 'The vendor’s filter withheld the answer' : 'The model refused to answer, without a word'}. Put it differently, or choose another model.`,
})

/** The inference ended without its last event. */
export const answerBrokenError = defineError<Record<string, never>>({
  code: 'answer_broken',
  status: 502,
  title: 'Answer broke off',
  message: () => 'The answer broke off before it was finished. Send the message again.',
})

/** The chat was forked too often. */
export const tooManyBranchesError = defineError<{ readonly limit: number }>({
  code: 'too_many_branches',
  status: 409,
  title: 'Too many branches',
  message: ({ limit }) => `This chat already has ${limit} branches. Continue in one of them, or begin a new chat.`,
})

/** Too many messages wait for one run. */
export const inboxFullError = defineError<{ readonly limit: number }>({
  code: 'run_inbox_full',
  status: 409,
  title: 'Messages are waiting',
  message: ({ limit }) => `${limit} messages are already waiting for the run of this chat. Wait until it has read them, or cancel it.`,
})

/** The message cannot be replaced or answered again. */
export const notReplaceableError = defineError<Record<string, never>>({
  code: 'message_not_replaceable',
  status: 409,
  title: 'Message cannot be replaced',
  message: () => 'Only a message of a person in the branch that is shown can be replaced or answered again. Switch to its branch first.',
})

/** No list shows the chat: it belongs to another chat's run, or was created hidden. */
export const hiddenChatError = defineError<Record<string, never>>({
  code: 'chat_hidden',
  status: 409,
  title: 'Chat not listed',
  message: () =>
    'This chat is hidden, so it cannot be archived, pinned or tagged. If it belongs to a run of another chat, change the other chat instead.',
})

/** No chat of the space has a message to summarise. */
export const spaceEmptyError = defineError<Record<string, never>>({
  code: 'space_empty',
  status: 409,
  title: 'Nothing to summarise',
  message: () => 'No chat of this space has messages yet. Add a chat with PATCH /api/chats/{chat_id} and space_id, then try again.',
})

/** Two concurrent summaries of one space would cover the same messages. */
export const spaceSummaryInProgressError = defineError<Record<string, never>>({
  code: 'space_summary_in_progress',
  status: 409,
  title: 'Summary in progress',
  message: () => 'This space is already being summarised. Wait until the summary is done.',
})

/** Each user can run one import at a time. */
export const importInProgressError = defineError<Record<string, never>>({
  code: 'import_in_progress',
  status: 409,
  title: 'Import in progress',
  message: () => 'One of your chats is already being imported. Wait for that import to end, then try again.',
})

/** Too many exports of one person wait to be imported. */
export const tooManyChatImportsError = defineError<{ readonly limit: number }>({
  code: 'too_many_imports',
  status: 429,
  title: 'Too many imports',
  message: ({ limit }) => `${limit} of your imports are waiting or in progress. Wait for one to end, or cancel one.`,
})

/** The model could not summarise a space, for a reason outside the service. */
export const spaceSummaryFailedError = defineError<{ readonly reason: string }>({
  code: 'space_summary_failed',
  status: 503,
  title: 'Summary failed',
  message: ({ reason }) =>
    `The summary failed: ${reason} Nothing was changed. Try again, or choose another model group for your first agent.`,
})

/**
 * The same key with another message. The host reports the same error while it remembers the
 * request.
 */
export const idempotencyKeyReusedError = defineError<Record<string, never>>({
  code: 'idempotency_key_reused',
  status: 422,
  title: 'Idempotency key reused',
  message: () => 'This Idempotency-Key was used with another message. Use a new key for each message.',
})
