import { defineError } from '@agent-service/sdk'

/** A question needs an answer, but there is no terminal. */
export const notInteractiveError = defineError<{ readonly question: string; readonly instead: string }>({
  code: 'not_interactive',
  status: 400,
  title: 'No terminal',
  message: ({ question, instead }) => `“${question}” needs an answer, but this is not a terminal. ${instead}`,
})

/** Standard input is longer than what a command takes. */
export const inputTooLargeError = defineError<{ readonly maxBytes: number }>({
  code: 'input_too_large',
  status: 413,
  title: 'Input too large',
  message: ({ maxBytes }) => `Standard input has more than ${maxBytes} bytes, the maximum here. Shorten it.`,
})
