import { defineError } from '@agent-service/sdk'

/** Parsing the JSON body takes more memory than one body may use. */
export const bodyTooComplexError = defineError<Readonly<Record<never, never>>>({
  code: 'body_too_complex',
  status: 413,
  title: 'Body too complex',
  message: () => 'Parsing the body takes more memory than one body may use; split it into several smaller requests.',
})

/** The service is receiving too much at once. */
export const tooManyBodiesError = defineError<Readonly<Record<never, never>>>({
  code: 'overloaded',
  status: 503,
  title: 'Overloaded',
  message: () => 'The service is receiving more data than it can hold; try again shortly.',
})
