import { defineError } from '../../core/errors.js'

/** There is no such object, or it is not the caller's: the two are not told apart. */
export const notFoundError = defineError<{ readonly what: string }>({
  code: 'not_found',
  status: 404,
  title: 'Not found',
  message: ({ what }) => `There is no such ${what}.`,
})

/** The request is well-formed but not valid; `problems` has each path. */
export const invalidRequestError = defineError<{ readonly where: 'params' | 'query' | 'body' | 'headers' }>({
  code: 'invalid_request',
  status: 422,
  title: 'Invalid request',
  message: ({ where }) => `The ${where} of the request did not pass validation; see errors for each path.`,
})
