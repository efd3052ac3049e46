import { defineError } from '@agent-service/sdk'

/** A model was asked for a title and gave none; asking again does not help. */
export const titleUnusableError = defineError<{ readonly reason: string }>({
  code: 'title_unusable',
  status: 502,
  title: 'Title unusable',
  message: ({ reason }) => `The model made no title: ${reason}`,
})

/** The model could not be asked for a title at the moment. */
export const titleFailedError = defineError<{ readonly reason: string }>({
  code: 'title_failed',
  status: 503,
  title: 'Title failed',
  message: ({ reason }) => `The model could not be asked for a title: ${reason}`,
})
