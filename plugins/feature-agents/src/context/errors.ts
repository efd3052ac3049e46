import { defineError } from '@agent-service/sdk'

/** The model wrote no usable summary. */
export const summaryUnusableError = defineError<{ readonly reason: string }>({
  code: 'summary_unusable',
  status: 503,
  title: 'No usable summary',
  message: ({ reason }) => `The model's summary cannot be used: ${reason} Nothing was changed. Try again, or choose another model group.`,
})

/** No message is older than the part that always stays verbatim. */
export const nothingToSummariseError = defineError<Record<string, never>>({
  code: 'nothing_to_summarise',
  status: 409,
  title: 'Nothing to summarise',
  message: () => 'The chat has no older messages to summarise: its last turn always stays as it is.',
})

/** Two concurrent summaries of one chat would cover the same messages. */
export const compactionInProgressError = defineError<Record<string, never>>({
  code: 'compaction_in_progress',
  status: 409,
  title: 'Summary in progress',
  message: () => 'The older messages of this chat are already being summarised. Wait until the summary is done.',
})
