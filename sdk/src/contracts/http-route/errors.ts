import { defineError } from '../../core/errors.js'
import type { AccessScope } from './access.js'
import type { Actor, Principal } from './principal.js'

/** The object does not exist, or it is not the caller's: the answer does not say which. */
export const notFoundError = defineError<{ readonly what: string }>({
  code: 'not_found',
  status: 404,
  title: 'Not found',
  message: ({ what }) => `There is no such ${what}.`,
})

/**
 * The request is well-formed but not valid. The message has the first problem, `problems` all, each
 * with its path.
 */
export const invalidRequestError = defineError<{ readonly where: 'params' | 'query' | 'body' | 'headers' }>({
  code: 'invalid_request',
  status: 422,
  title: 'Invalid request',
  message: ({ where }, [first, ...others]) =>
    first === undefined
      ? `The ${where} of the request did not pass validation.`
      : `The ${where} of the request did not pass validation: ${first.path} ${first.message}${furtherProblems(others.length)}.`,
})

const furtherProblems = (count: number): string => (count === 0 ? '' : `; errors has ${count} more`)

/** Requires a signed-in person; a token for a program is not enough. */
export const sessionRequiredError = defineError<Record<string, never>>({
  code: 'session_required',
  status: 403,
  title: 'Sign-in required',
  message: () => 'This needs a sign-in; a token that was made for a program is not enough.',
})

/** Requires a session that was confirmed recently. */
export const confirmationRequiredError = defineError<Record<string, never>>({
  code: 'confirmation_required',
  status: 403,
  title: 'Confirmation required',
  message: () =>
    'Confirm that it is you first: send your password to POST /api/auth/confirm, or sign on again, then repeat this within five minutes.',
})

/**
 * Holds if only some bodies of a route need it; a route that always does says `confirmed`. @throws
 * `session_required`, `confirmation_required`.
 */
export function requireConfirmed(principal: Principal | undefined): void {
  if (principal?.sessionId === undefined || principal.actor) throw sessionRequiredError.create({})
  if (!principal.confirmed) throw confirmationRequiredError.create({})
}

const namesOfActors: Readonly<Record<Actor['kind'], string>> = { agent: 'An agent', app: 'An app', mcp_server: 'An MCP server' }

/**
 * An operation that is not open to an agent, app or MCP server that acts for a person. `what`
 * completes “An agent that acts for a person may not …”.
 */
export const peopleOnlyError = defineError<{ readonly actor: Actor['kind']; readonly what: string }>({
  code: 'people_only',
  status: 403,
  title: 'For people only',
  message: ({ actor, what }) =>
    `${namesOfActors[actor]} that acts for a person may not ${what}. Do it in the console, or with a token of your own.`,
})

/**
 * Admits only people and their own programs, for routes of which some bodies are for them; a route
 * that is always for them declares no `actors`. Otherwise an actor could grant itself what its
 * person withheld. `what` as in {@link peopleOnlyError}. @throws `people_only`.
 */
export function requirePerson(principal: Principal | undefined, what: string): void {
  if (principal?.actor) throw peopleOnlyError.create({ actor: principal.actor.kind, what })
}

/** A token was not given the scope that is needed. */
export const scopeMissingError = defineError<{ readonly scopes: readonly AccessScope[] }>({
  code: 'forbidden',
  status: 403,
  title: 'Forbidden',
  message: ({ scopes }) => `The access token was not given the scope ${scopes.map((scope) => `“${scope}”`).join(' or ')}.`,
})

/**
 * Holds if the body decides which scopes are needed, all of these; a route that always needs one
 * says `scope`. @throws `forbidden`.
 */
export function requireScopes(principal: Principal | undefined, scopes: readonly AccessScope[]): void {
  const missing = scopes.find((scope) => !principal?.scopes.includes(scope))
  if (missing !== undefined) throw scopeMissingError.create({ scopes: [missing] })
}

/** Reserved for the role of an admin, regardless of policies. */
export const adminRequiredError = defineError<Record<string, never>>({
  code: 'forbidden',
  status: 403,
  title: 'Forbidden',
  message: () => 'Only an admin may do this, regardless of policies.',
})

/**
 * {@link requireConfirmed} for operations that grant an account or control of the service: the
 * stored role is checked too. Otherwise a caller who may write policies, with a token or a stolen
 * session, could permit it to an own account and confirm that.
 * @throws `forbidden`, `session_required`, `confirmation_required`.
 */
export function requireConfirmedAdmin(principal: Principal | undefined): void {
  if (principal?.role !== 'admin') throw adminRequiredError.create({})
  requireConfirmed(principal)
}
