import { defineError } from '../../core/errors.js'
import type { Principal } from './principal.js'

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

/** What only a person who has signed in may do; a token that was made for a program may not. */
export const sessionRequiredError = defineError<Record<string, never>>({
  code: 'session_required',
  status: 403,
  title: 'Sign-in required',
  message: () => 'This needs a sign-in; a token that was made for a program is not enough.',
})

/** What needs a session whose person has just shown who it is. */
export const confirmationRequiredError = defineError<Record<string, never>>({
  code: 'confirmation_required',
  status: 403,
  title: 'Confirmation required',
  message: () =>
    'Confirm that it is you first: send your password to POST /api/auth/confirm, or sign on again, then repeat this within five minutes.',
})

/** Holds where only some bodies of a route need it; a route that always does says `confirmed`. @throws `session_required`, `confirmation_required`. */
export function requireConfirmed(principal: Principal | undefined): void {
  if (principal?.sessionId === undefined || principal.actor) throw sessionRequiredError.create({})
  if (!principal.confirmed) throw confirmationRequiredError.create({})
}

/** What stays with the role of an admin, whatever policies permit to others. */
export const adminRequiredError = defineError<Record<string, never>>({
  code: 'forbidden',
  status: 403,
  title: 'Forbidden',
  message: () => 'Only an admin may do this, whatever policies permit.',
})

/**
 * {@link requireConfirmed} for what gives somebody an account or the service itself: the stored role decides beside the policies. Else whoever may write
 * policies, with a token or a borrowed session, permits it to an account of their own and confirms that.
 * @throws `forbidden`, `session_required`, `confirmation_required`.
 */
export function requireConfirmedAdmin(principal: Principal | undefined): void {
  if (principal?.role !== 'admin') throw adminRequiredError.create({})
  requireConfirmed(principal)
}
