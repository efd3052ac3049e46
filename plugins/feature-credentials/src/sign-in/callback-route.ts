import { type Static, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { SignIn, SignInRedirect } from '@agent-service/sdk/services/credentials'
import type { SignIns } from './sign-ins.js'

/** Where authorization servers send people back. */
export const callbackPath = '/api/credentials/callback'

const parameter = (description: string) => Type.Optional(Type.String({ maxLength: 8_000, description }))
/** What RFC 6749 and 9207 name; servers send more. */
const redirectSchema = Type.Object(
  {
    state: parameter('What the sign-in was begun with.'),
    code: parameter('What tokens are asked for with.'),
    error: parameter('Why there are none.'),
    iss: parameter('The server that answers.'),
  },
  { additionalProperties: true },
)

/** `GET /api/credentials/callback`: completes the sign-in of the person whose session it is. */
export function createCallbackRoute(signIns: Pick<SignIns, 'complete'>): HttpRoute {
  return defineRoute({
    method: 'GET',
    path: callbackPath,
    operationId: 'returnFromCredentialSignIn',
    summary: 'Where an authorization server sends people back',
    description: 'Only in a session of the person who began the sign-in, and once.',
    tags: ['credentials'],
    auth: 'user',
    scope: 'write',
    query: redirectSchema,
    answers: { 200: { description: 'What became of it, for a person to read.', contentType: 'text/plain' } },
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
  unavailable: 'The server could not be asked. Begin the sign-in again.',
}

/** A person looks at it, in a window that has done its work. */
function pageOf({ state, reason = 'unavailable' }: SignIn) {
  const text = state === 'completed' ? 'You are signed in. This window can be closed.' : failures[reason]
  return {
    status: 200,
    kind: 'bytes',
    contentType: 'text/plain; charset=utf-8',
    bytes: Buffer.from(`${text}\n`, 'utf8'),
  } as const
}
