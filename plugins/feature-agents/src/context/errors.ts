import { defineError } from '@agent-service/sdk'

/** The model that was to write a summary gave none that can be used. */
export const summaryUnusableError = defineError<{ readonly reason: string }>({
  code: 'summary_unusable',
  status: 503,
  title: 'No usable summary',
  message: ({ reason }) => `The model's summary cannot be used: ${reason} Nothing has changed; try again, or choose another model group.`,
})

/** There is nothing older than what stays word for word. */
export const nothingToSummariseError = defineError<Record<string, never>>({
  code: 'nothing_to_summarise',
  status: 409,
  title: 'Nothing to summarise',
  message: () => 'The chat has no older messages that could be summarised: its last turn always stays as it is.',
})

/** Two summaries of one chat at the same time would be of the same messages. */
export const compactionInProgressError = defineError<Record<string, never>>({
  code: 'compaction_in_progress',
  status: 409,
  title: 'Being summarised',
  message: () => 'The older messages of this chat are being summarised already. Wait for it to end.',
})
