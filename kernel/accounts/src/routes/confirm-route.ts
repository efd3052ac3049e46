import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { UserAccounts } from '../accounts/user-accounts.js'
import { invalidCredentialsError, localAuthDisabledError, signInBusyError } from '../records/errors.js'
import { timestamp } from '../records/timestamps.js'
import type { SessionConfirmation } from '../sessions/session-confirmation.js'
import { authBodyLimit } from './account-fields.js'
import { callerOf, sessionIdOf } from './own-session.js'

const confirmedSchema = namedObject('Confirmed', { confirmed_until: Type.String({ description: 'When the confirmation ends.' }) })

/** Confirms a session with the password. Confirmation by single sign-on belongs to that plugin. */
export function createConfirmRoute(dependencies: {
  readonly accounts: Pick<UserAccounts, 'get'>
  readonly confirmation: Pick<SessionConfirmation, 'byPassword'>
  /** False: passwords are refused (`local_auth_disabled`). */
  readonly localSignIn: boolean
}): HttpRoute {
  const { accounts, confirmation, localSignIn } = dependencies
  return defineRoute({
    method: 'POST',
    path: '/api/auth/confirm',
    operationId: 'confirmSession',
    summary: 'Confirm the session with the password',
    description:
      'For five minutes the session may call operations that otherwise answer `confirmation_required`. Only for sessions: tokens are refused with `session_required`. People without a password confirm through `/api/auth/sso/login?confirm=true`.',
    tags: ['accounts'],
    auth: 'user',
    session: true,
    body: { kind: 'json', schema: Type.Object({ password: Type.String() }), limit: authBodyLimit },
    errors: [invalidCredentialsError, localAuthDisabledError, signInBusyError],
    answers: { 200: { description: 'The session is confirmed.', schema: confirmedSchema } },
    async handle({ principal, body, address, signal }) {
      const sessionId = sessionIdOf(principal)
      if (!localSignIn) throw localAuthDisabledError.create({})
      const user = await callerOf(accounts, principal)
      const until = await confirmation.byPassword(user, body.password, { sessionId, address, signal })
      return ok({ confirmed_until: timestamp(until) })
    },
  })
}
