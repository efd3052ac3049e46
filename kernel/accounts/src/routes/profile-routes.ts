import { Type } from '@agent-service/sdk'
import {
  confirmationRequiredError,
  defineRoute,
  type HttpRoute,
  noContent,
  ok,
  requireConfirmed,
  sessionRequiredError,
} from '@agent-service/sdk/contracts/http-route'
import type { AccountChanges } from '../accounts/account-changes.js'
import type { UserAccounts } from '../accounts/user-accounts.js'
import { profileOf, userProfileSchema } from '../accounts/user-profile.js'
import {
  emailTakenError,
  invalidCredentialsError,
  localAuthDisabledError,
  passwordContainsNameError,
  passwordTooCommonError,
  signInBusyError,
  usernameTakenError,
} from '../records/errors.js'
import { authBodyLimit, profileFields } from './account-fields.js'
import { callerOf, sessionIdOf } from './own-session.js'

const profileAnswer = { 200: { description: 'The profile.', schema: userProfileSchema } }

/**
 * The caller's own account. Only a session may change what signs a person in: a personal access
 * token may not.
 */
export function createProfileRoutes(dependencies: {
  readonly accounts: UserAccounts
  readonly changes: AccountChanges
  /** False: passwords cannot be changed (`local_auth_disabled`). */
  readonly localSignIn: boolean
}): readonly HttpRoute[] {
  const { accounts, changes, localSignIn } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/auth/me',
      operationId: 'getOwnProfile',
      summary: 'The profile of the caller',
      tags: ['accounts'],
      auth: 'user',
      answers: profileAnswer,
      async handle({ principal }) {
        return ok(profileOf(await callerOf(accounts, principal)))
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/auth/me',
      operationId: 'changeOwnProfile',
      summary: 'Change the name, e-mail address or time zone',
      description: 'Omitted fields stay; null clears a field. The e-mail address needs a confirmed session (`confirmation_required`).',
      tags: ['accounts'],
      auth: 'user',
      body: { kind: 'json', schema: Type.Object(profileFields), limit: authBodyLimit },
      errors: [emailTakenError, sessionRequiredError, confirmationRequiredError],
      answers: profileAnswer,
      async handle({ principal, body, address }) {
        if (body.email !== undefined) requireConfirmed(principal)
        const { id } = await callerOf(accounts, principal)
        return ok(profileOf(await changes.changeProfile(id, body, address)))
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/auth/username',
      operationId: 'changeUsername',
      summary: 'Change the username',
      description: 'The handle, which names the folder of the account, stays.',
      tags: ['accounts'],
      auth: 'user',
      session: true,
      body: { kind: 'json', schema: Type.Object({ username: Type.String({ maxLength: 200 }) }), limit: authBodyLimit },
      errors: [usernameTakenError],
      answers: profileAnswer,
      async handle({ principal, body, address }) {
        sessionIdOf(principal)
        const { id } = await callerOf(accounts, principal)
        return ok(profileOf(await changes.rename(id, body.username, address)))
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/auth/password',
      operationId: 'changePassword',
      summary: 'Change the password',
      description: 'Every other session of the account ends at once. The current password is the proof; the session need not be confirmed.',
      tags: ['accounts'],
      auth: 'user',
      session: true,
      body: {
        kind: 'json',
        schema: Type.Object({ current_password: Type.String(), new_password: Type.String() }),
        limit: authBodyLimit,
      },
      errors: [passwordTooCommonError, passwordContainsNameError, invalidCredentialsError, localAuthDisabledError, signInBusyError],
      answers: { 204: { description: 'The password was changed.' } },
      async handle({ principal, body, address, signal }) {
        const sessionId = sessionIdOf(principal)
        if (!localSignIn) throw localAuthDisabledError.create({})
        const user = await callerOf(accounts, principal)
        await changes.changePassword(user, { current: body.current_password, next: body.new_password }, { sessionId, address, signal })
        return noContent()
      },
    }),
  ]
}
