import type { SignInPolicy } from '@agent-service/kernel-core/config'
import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { UserAccounts } from '../accounts/user-accounts.js'
import type { Registration } from '../admission/registration.js'
import type { SigningKeys } from '../keys/signing-keys.js'

const authConfigurationSchema = namedObject('AuthConfiguration', {
  allow_registration: Type.Boolean(),
  registration: Type.Union([Type.Literal('open'), Type.Literal('approval'), Type.Literal('closed')], {
    description: 'Who gets an account after the first one without an invitation: everyone, everyone whom an admin approves, or nobody.',
  }),
  local_auth: Type.Boolean(),
  sso: namedObject('SingleSignOn', { enabled: Type.Boolean() }),
  signed_in: Type.Boolean({ description: 'Whether the session of the request is valid.' }),
  needs_account: Type.Boolean({ description: 'There is no account yet: the first one becomes an admin.' }),
  needs_setup: Type.Boolean({
    description: 'There is no account yet, or a new installation still has a choice to make.',
  }),
  demo: Type.Boolean({ description: 'The service is the demo: a script answers, no model.' }),
})

/** Public information: the ways to sign in, and the public keys. */
export function createPublicRoutes(dependencies: {
  readonly accounts: UserAccounts
  readonly keys: SigningKeys
  readonly allowRegistration: boolean
  readonly registration: Registration
  readonly signInPolicy: SignInPolicy
  /** Whether a new installation still has a choice to make. */
  readonly isSetUpOpen: () => boolean
  readonly isDemo: boolean
}): readonly HttpRoute[] {
  const { accounts, keys, allowRegistration, registration, signInPolicy, isSetUpOpen, isDemo } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/auth/config',
      operationId: 'getAuthConfiguration',
      summary: 'The ways to sign in',
      tags: ['accounts'],
      auth: 'public',
      answers: { 200: { description: 'What a sign-in page needs.', schema: authConfigurationSchema } },
      async handle({ principal }) {
        const isEmpty = await accounts.isEmpty()
        return ok({
          allow_registration: allowRegistration,
          registration,
          local_auth: signInPolicy.localSignIn,
          sso: { enabled: signInPolicy.singleSignOn },
          signed_in: principal?.sessionId !== undefined,
          needs_account: isEmpty,
          needs_setup: isSetUpOpen() || isEmpty,
          demo: isDemo,
        })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/.well-known/jwks.json',
      operationId: 'getKeySet',
      summary: 'The public keys of access tokens',
      tags: ['accounts'],
      auth: 'public',
      answers: {
        200: { description: 'A JSON Web Key Set (RFC 7517).', schema: namedObject('KeySet', { keys: Type.Array(Type.Unknown()) }) },
      },
      async handle() {
        return { ...ok(keys.keySet()), headers: { 'cache-control': 'public, max-age=300' } }
      },
    }),
  ]
}
