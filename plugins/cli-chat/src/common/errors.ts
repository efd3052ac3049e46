import { defineError } from '@agent-service/sdk'

/** An option has a value that the command cannot use. */
export const optionInvalidError = defineError<{ readonly option: string; readonly expected: string; readonly found: string }>({
  code: 'option_invalid',
  status: 400,
  title: 'Invalid option',
  message: ({ option, expected, found }) => `--${option} must be ${expected}, but is “${found}”.`,
})

/** None of the person's agents has this handle or id. */
export const agentUnknownError = defineError<{ readonly handle: string; readonly known: readonly string[] }>({
  code: 'agent_unknown',
  status: 404,
  title: 'Unknown agent',
  message: ({ handle, known }) => `You have no agent “${handle}”. Your agents: ${known.join(', ')}.`,
})

/** A chat that exists is temporary or not. */
export const temporaryWithChatError = defineError<Record<string, never>>({
  code: 'temporary_with_chat',
  status: 400,
  title: 'Temporary needs a new chat',
  message: () => '--temporary begins a new chat, so it cannot be used with --chat.',
})

/** Events are printed for programs alone. */
export const eventsWithoutJsonError = defineError<Record<string, never>>({
  code: 'events_without_json',
  status: 400,
  title: 'Events without JSON',
  message: () => '--events prints JSON, so it needs --json beside it.',
})
