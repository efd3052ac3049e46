import { defineError } from '@agent-service/sdk'

/** No provider can be used; the reason says what is missing. */
export const searchNotConfiguredError = defineError<{ readonly reason: string }>({
  code: 'search_not_configured',
  status: 503,
  title: 'Web search not available',
  message: ({ reason }) => `Web search is not available: ${reason}.`,
})
