import { type Logger, type Static, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, type RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type {
  ExternalConfirmationOptions,
  ExternalSignedIn,
  ExternalSignIn,
  ExternalSignInOptions,
} from '@agent-service/sdk/services/external-sign-in'
import type { Notifications } from '@agent-service/sdk/services/notifications'
import type { Urls } from '@agent-service/sdk/services/urls'
import { responseInvalidError, stateInvalidError } from '../common/errors.js'
import type { IdentityProvider, ProvenPerson } from '../provider/identity-provider.js'
import { beginSignIn } from '../sign-in/begin-sign-in.js'
import type { PendingSignIn, PendingSignIns } from '../sign-in/pending-sign-ins.js'
import { tellHandOver } from '../sign-in/tell-hand-over.js'
import { errorPage, errorPageAnswers } from './error-page.js'

export const callbackPath = '/api/auth/sso/callback'

const parameter = (description: string) => Type.Optional(Type.String({ maxLength: 8_000, description }))

/** The parameters of RFC 6749 and RFC 9207; providers send more. */
const querySchema = Type.Object(
  {
    state: parameter('The state that the sign-in began with.'),
    code: parameter('The authorization code.'),
    iss: parameter('The issuer that responds.'),
    error: parameter('The error code if the sign-in failed.'),
  },
  { additionalProperties: true },
)

/** Receives a browser from the identity provider and signs it in. */
export function createCallbackRoute(dependencies: {
  readonly provider: IdentityProvider
  readonly pendingSignIns: PendingSignIns
  readonly signIn: ExternalSignIn
  readonly notifications: Pick<Notifications, 'send'> | undefined
  readonly rules: Pick<ExternalSignInOptions, 'matchEmail' | 'acceptUnverifiedEmail'>
  readonly urls: Urls
  readonly log: Logger
}): HttpRoute {
  const { provider, pendingSignIns, signIn, notifications, rules, urls, log } = dependencies

  /** What cannot be said now is said at the next sign-in. */
  const tell = async ({ userId, handOver }: ExternalSignedIn): Promise<void> => {
    try {
      if (notifications && handOver && handOver.items.length > 0) await tellHandOver(notifications, userId, handOver)
    } catch (error) {
      log.warn('A person could not be told that their account existed before.', { user_id: userId, error })
    }
  }

  return defineRoute({
    method: 'GET',
    path: callbackPath,
    operationId: 'completeSingleSignOn',
    summary: 'Receive the redirect of the identity provider',
    description:
      'Works once, within ten minutes, and only in the browser in which the sign-in began. Begins a session as `login` does: it sets the refresh cookie and ends the previous session of the browser. If a confirmation was requested, it only confirms the session. No address contains a token.',
    tags: ['accounts'],
    auth: 'public',
    query: querySchema,
    answers: { 303: { description: 'Signed in or confirmed: redirects to `return_to`.' }, ...errorPageAnswers },
    async handle(request) {
      const { state = '' } = request.query
      const present = request.cookies ?? {}
      const cookies = Object.hasOwn(present, state) ? [pendingSignIns.clearCookie(state)] : []
      try {
        const pending = await pendingSignIns.take(state, present)
        if (!pending) throw stateInvalidError.create({})
        const person = await provider.identityOf(parametersOf(request.query), state, pending)
        if (person === 'code_used') {
          if (pending.isRepeated === true) throw responseInvalidError.create({ said: '' })
          return await beginSignIn({ provider, pendingSignIns }, again(pending), { present: withoutCookie(present, state), cookies })
        }
        const location = urls.page(pending.returnPath)
        if (pending.confirms !== undefined) {
          await signIn.confirm(person.identity, confirmationOf(request, person, pending.confirms, pending.startedAt))
          return { status: 303, kind: 'empty', headers: { location }, cookies }
        }
        const signedIn = await signIn.signIn(person.identity, { ...optionsOf(request, pending), ...rules })
        await tell(signedIn)
        return { status: 303, kind: 'empty', headers: { location, 'set-cookie': signedIn.refreshCookie }, cookies }
      } catch (error) {
        return errorPage(request, error, { home: urls.page('/'), cookies })
      }
    },
  })
}

/** The same sign-in with another code. */
const again = ({ returnPath, setupCode, confirms }: PendingSignIn) => ({
  ...{ returnPath, isRepeated: true },
  ...(setupCode === undefined ? {} : { setupCode }),
  ...(confirms === undefined ? {} : { confirms }),
})

const withoutCookie = (present: Readonly<Record<string, string>>, state: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(present).filter(([name]) => name !== state))

const parametersOf = (query: Static<typeof querySchema>): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): readonly [string, string][] => (typeof value === 'string' ? [[name, value]] : [])),
  )

function confirmationOf(
  { address, principal }: RouteRequest,
  { signedOnAt }: ProvenPerson,
  sessionId: string,
  at: number,
): ExternalConfirmationOptions {
  return {
    asked: { sessionId, at },
    origin: { address, ...(principal?.sessionId === undefined ? {} : { sessionId: principal.sessionId }) },
    ...(signedOnAt === undefined ? {} : { signedOnAt }),
  }
}

function optionsOf(request: RouteRequest, { setupCode }: PendingSignIn): Pick<ExternalSignInOptions, 'origin' | 'setupCode'> {
  const { address, loopback, headers, principal } = request
  return {
    origin: {
      ...{ address, loopback, userAgent: headers['user-agent'] ?? '' },
      ...(principal?.sessionId === undefined ? {} : { earlierSessionId: principal.sessionId }),
    },
    ...(setupCode === undefined ? {} : { setupCode }),
  }
}
