import { Type } from '@agent-service/sdk'
import { created, defineRoute, type HttpRoute, ok, type RouteRequest } from '@agent-service/sdk/contracts/http-route'
import { unauthenticatedError } from '../http/errors.js'
import type { SetupCode } from './setup-code.js'
import type { SignIn } from './sign-in.js'
import type { SigningKeys } from './signing-keys.js'
import type { CreationGrant, UserAccounts } from './user-accounts.js'
import { profileOf, userProfileSchema } from './user-profile.js'

/** Bodies under `/api/auth/`, in bytes. */
const bodyLimit = 64 * 1024

const accountFields = {
  username: Type.String({ maxLength: 200, description: '2 to 32 characters: a–z, 0–9, “_”, “-”, a letter first.' }),
  password: Type.String({ description: '8 to 1024 bytes of UTF-8.' }),
  email: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  timezone: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'IANA, such as Europe/Berlin.' })),
}

const registrationSchema = Type.Object({
  ...accountFields,
  setup_code: Type.Optional(Type.String({ maxLength: 200, description: 'For the first account, from another machine.' })),
})

const credentialsSchema = Type.Object({
  username: Type.String({ description: 'The username, or the e-mail address.' }),
  password: Type.String(),
})

const signedInSchema = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  user: userProfileSchema,
})

const authConfigurationSchema = Type.Object({
  allow_registration: Type.Boolean(),
  local_auth: Type.Boolean(),
  sso: Type.Object({ enabled: Type.Boolean() }),
  needs_setup: Type.Boolean(),
})

/** What the routes under `/api/auth/` need. */
export interface AuthRoutesDependencies {
  readonly accounts: UserAccounts
  readonly signIn: SignIn
  readonly keys: SigningKeys
  readonly setupCode: SetupCode
  readonly allowRegistration: boolean
}

/** Signing up and in, the own profile, and the public keys. */
export function createAuthRoutes(dependencies: AuthRoutesDependencies): readonly HttpRoute[] {
  const { accounts, signIn, keys, setupCode, allowRegistration } = dependencies

  const grantOf = (request: RouteRequest<unknown, unknown, { readonly setup_code?: string }>): CreationGrant => ({
    trusted: request.principal?.role === 'admin' && request.principal.scopes.includes('admin'),
    mayBeFirst: request.loopback || setupCode.matches(request.body.setup_code),
  })

  return [
    defineRoute({
      method: 'POST',
      path: '/api/auth/register',
      operationId: 'register',
      summary: 'Create an account and sign in',
      description:
        'The first account becomes an admin: from this machine, or with the one-time code that the service prints at its start. Where registration is closed, only an admin creates accounts.',
      tags: ['accounts'],
      auth: 'public',
      body: { kind: 'json', schema: registrationSchema, limit: bodyLimit },
      answers: { 201: { description: 'The account was created.', schema: signedInSchema } },
      async handle(request) {
        const { setup_code: _, ...input } = request.body
        return created({ ...(await signIn.register(input, grantOf(request))) })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/login',
      operationId: 'login',
      summary: 'Sign in',
      tags: ['accounts'],
      auth: 'public',
      body: { kind: 'json', schema: credentialsSchema, limit: bodyLimit },
      answers: { 200: { description: 'A new session.', schema: signedInSchema } },
      async handle({ body, address }) {
        return ok({ ...(await signIn.logIn({ ...body, address })) })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/auth/me',
      operationId: 'getOwnProfile',
      summary: 'The profile of the caller',
      tags: ['accounts'],
      auth: 'user',
      answers: { 200: { description: 'The profile.', schema: userProfileSchema } },
      async handle({ principal }) {
        const user = principal && (await accounts.get(principal.userId))
        if (!user) throw unauthenticatedError.create({})
        return ok(profileOf(user))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/auth/config',
      operationId: 'getAuthConfiguration',
      summary: 'How people sign in here',
      tags: ['accounts'],
      auth: 'public',
      answers: { 200: { description: 'What a sign-in page needs to know.', schema: authConfigurationSchema } },
      async handle() {
        return ok({
          allow_registration: allowRegistration,
          local_auth: true,
          sso: { enabled: false },
          needs_setup: await accounts.isEmpty(),
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
      answers: { 200: { description: 'A JSON Web Key Set (RFC 7517).', schema: Type.Object({ keys: Type.Array(Type.Unknown()) }) } },
      async handle() {
        return { ...ok(keys.keySet()), headers: { 'cache-control': 'public, max-age=300' } }
      },
    }),
  ]
}
