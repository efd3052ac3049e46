import { type Static, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { SignIn, SignInRedirect } from '@agent-service/sdk/services/credentials'
import { signInStateError, signInUnavailableError } from '@agent-service/sdk/services/credentials'
import type { SignIns } from './sign-ins.js'

/** The path to which authorization servers redirect people back. */
export const callbackPath = '/api/credentials/callback'

const parameter = (description: string) => Type.Optional(Type.String({ maxLength: 8_000, description }))
/** The parameters of RFC 6749 and 9207; servers send more. */
const redirectSchema = Type.Object(
  {
    state: parameter('The state that the sign-in began with.'),
    code: parameter('The authorization code.'),
    error: parameter('The error code if there are no tokens.'),
    iss: parameter('The issuer that responds.'),
  },
  { additionalProperties: true },
)

/** `GET /api/credentials/callback`: completes the sign-in of the session's user. */
export function createCallbackRoute(signIns: Pick<SignIns, 'complete'>): HttpRoute {
  return defineRoute({
    method: 'GET',
    path: callbackPath,
    operationId: 'returnFromCredentialSignIn',
    summary: 'Receive the redirect of an authorization server',
    description: 'Works once, and only in a session of the person who began the sign-in.',
    tags: ['credentials'],
    auth: 'user',
    scope: 'write',
    query: redirectSchema,
    errors: [signInStateError, signInUnavailableError],
    answers: {
      200: { description: 'The outcome, for a person to read.', contentType: 'text/plain', example: 'You are signed in. Close this page.' },
    },
    handle: async ({ query, principal }) => pageOf(await signIns.complete(redirectOf(query), { userId: principal?.userId ?? '' })),
  })
}

function redirectOf({ state, code, error, iss }: Static<typeof redirectSchema>): SignInRedirect {
  return {
    ...(state !== undefined && { state }),
    ...(code !== undefined && { code }),
    ...(error !== undefined && { error }),
    ...(iss !== undefined && { iss }),
  }
}

const failures: Readonly<Record<NonNullable<SignIn['reason']>, string>> = {
  denied: 'The sign-in was declined.',
  expired: 'The sign-in was not completed in time. Begin it again.',
  refused: 'The server refused the sign-in. Begin it again.',
  unavailable: 'The server could not be reached. Begin the sign-in again.',
}

/** Plain text for the person in the window that can be closed. */
function pageOf({ state, reason = 'unavailable' }: SignIn) {
  const text = state === 'completed' ? 'You are signed in. You can close this window.' : failures[reason]
  return {
    status: 200,
    kind: 'bytes',
    contentType: 'text/plain; charset=utf-8',
    bytes: Buffer.from(`${text}\n`, 'utf8'),
  } as const
}
