import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { UserAccounts } from '../accounts/user-accounts.js'
import { localAuthDisabledError } from '../records/errors.js'
import { timestamp } from '../records/timestamps.js'
import type { SessionConfirmation } from '../sessions/session-confirmation.js'
import { authBodyLimit } from './account-fields.js'
import { callerOf, sessionIdOf } from './own-session.js'

const confirmedSchema = Type.Object({ confirmed_until: Type.String({ description: 'When the confirmation is over.' }) })

/** Shows with the password that it is still the person who sits before the session. The way through single sign-on is that plugin's. */
export function createConfirmRoute(dependencies: {
  readonly accounts: Pick<UserAccounts, 'get'>
  readonly confirmation: Pick<SessionConfirmation, 'byPassword'>
  /** False: passwords prove nothing (`local_auth_disabled`). */
  readonly localSignIn: boolean
}): HttpRoute {
  const { accounts, confirmation, localSignIn } = dependencies
  return defineRoute({
    method: 'POST',
    path: '/api/auth/confirm',
    operationId: 'confirmSession',
    summary: 'Confirm by the password that it is you',
    description:
      'For five minutes the session may do what answers `confirmation_required` otherwise. For sessions alone: tokens are refused with `session_required`. People without a password confirm through `/api/auth/sso/login?confirm=true`.',
    tags: ['accounts'],
    auth: 'user',
    session: true,
    body: { kind: 'json', schema: Type.Object({ password: Type.String() }), limit: authBodyLimit },
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
