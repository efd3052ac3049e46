import { unauthenticatedError } from '@agent-service/kernel-core/http'
import { namedObject, Type } from '@agent-service/sdk'
import {
  accepted,
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  ok,
  type Principal,
  type RouteRequest,
  type RouteResponse,
} from '@agent-service/sdk/contracts/http-route'
import type { Transaction } from '@agent-service/sdk/services/database'
import { type PolicyService, permitsOperation } from '@agent-service/sdk/services/policy'
import type { CreationGrant, UserAccounts } from '../accounts/user-accounts.js'
import { userProfileSchema } from '../accounts/user-profile.js'
import type { AccountRequests } from '../admission/account-requests.js'
import { type Invitations, invitedInput } from '../admission/invitations.js'
import type { Registration } from '../admission/registration.js'
import {
  accountDisabledError,
  accountWaitingError,
  emailTakenError,
  invalidCredentialsError,
  invitationExpiredError,
  invitationInvalidError,
  invitationRevokedError,
  invitationUsedError,
  localAuthDisabledError,
  passwordContainsNameError,
  passwordTooCommonError,
  refreshReusedError,
  registrationClosedError,
  setupCodeRequiredError,
  signInBusyError,
  usernameTakenError,
} from '../records/errors.js'
import type { SetupCode } from '../records/setup-code.js'
import type { RefreshCookie } from '../sessions/refresh-cookie.js'
import type { SignedIn, SignIn } from '../sessions/sign-in.js'
import { accountFields, authBodyLimit } from './account-fields.js'
import { originOf } from './route-origin.js'

const registrationSchema = namedObject('Register', {
  ...accountFields,
  setup_code: Type.Optional(Type.String({ maxLength: 200, description: 'For the first account, from another machine.' })),
  invitation: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The token of an invitation, which admits people although registration is closed.',
    }),
  ),
})

const waitingSchema = namedObject('AccountWaiting', {
  status: Type.Literal('waiting', { description: 'An admin has to approve the account before the person can sign in.' }),
  username: Type.String({ examples: ['ada'] }),
  expires_at: Type.String({ description: 'Without a decision until then, the person has to ask again.' }),
})

const credentialsSchema = namedObject('Login', {
  username: Type.String({ description: 'The username, or the e-mail address.', examples: ['ada'] }),
  password: Type.String({ examples: ['correct horse battery staple'] }),
})

/** The answer of every sign-in. */
export const signedInSchema = namedObject('SignedIn', {
  access_token: Type.String({ examples: ['eyJhbGciOiJFZERTQSJ9…'] }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.', examples: [900] }),
  user: userProfileSchema,
})

/** Signing up, in and out, and refreshing. The refresh token is only sent in a cookie. */
export function createSignInRoutes(dependencies: {
  readonly signIn: SignIn
  readonly setupCode: SetupCode
  readonly cookie: RefreshCookie
  /**
   * False: signing up and in is refused with `local_auth_disabled`, for every caller. Refreshing
   * continues to work.
   */
  readonly localSignIn: boolean
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly accounts: Pick<UserAccounts, 'isEmpty'>
  readonly registration: Registration
  readonly requests: Pick<AccountRequests, 'ask'>
  readonly invitations: Pick<Invitations, 'find' | 'use'>
}): readonly HttpRoute[] {
  const { signIn, setupCode, cookie, localSignIn, policies, accounts, registration, requests, invitations } = dependencies

  const requireLocalSignIn = (): void => {
    if (!localSignIn) throw localAuthDisabledError.create({})
  }

  const grantOf = async (request: RouteRequest<unknown, unknown, { readonly setup_code?: string }>): Promise<CreationGrant> => ({
    trusted: await mayCreateAccounts(request.principal),
    mayBeFirst: request.loopback || setupCode.matches(request.body.setup_code),
  })
  /** For an admin this is the operation `createUser`, so that policies about that apply. */
  const mayCreateAccounts = async (principal: Principal | undefined): Promise<boolean> =>
    principal?.role === 'admin' &&
    principal.scopes.includes('admin') &&
    (await permitsOperation(policies, { userId: principal.userId, operation: 'createUser' }))
  const invitationOf = async (token: string | undefined) => {
    if (token === undefined) return undefined
    const record = await invitations.find(token)
    return { record, useInvitation: (transaction: Transaction) => invitations.use(transaction, record.id) }
  }
  const withCookie = (response: RouteResponse, { refresh }: SignedIn): RouteResponse => ({
    ...response,
    headers: { ...response.headers, 'set-cookie': cookie.set(refresh.token, refresh.expiresAt) },
  })

  return [
    defineRoute({
      method: 'POST',
      path: '/api/auth/register',
      operationId: 'register',
      summary: 'Create an account and sign in',
      description:
        'The first account becomes an admin: from this machine, or with the one-time code from the log of the service. If registration is closed, only an admin can create accounts, and an `invitation` of one admits people. Where an admin approves accounts, the answer is 202: nobody is signed in. For an admin the response has no cookie, so that the admin stays signed in.',
      tags: ['accounts'],
      auth: 'public',
      body: { kind: 'json', schema: registrationSchema, limit: authBodyLimit },
      errors: [
        usernameTakenError,
        emailTakenError,
        passwordTooCommonError,
        passwordContainsNameError,
        signInBusyError,
        registrationClosedError,
        invitationInvalidError,
        invitationExpiredError,
        invitationRevokedError,
        invitationUsedError,
        setupCodeRequiredError,
        localAuthDisabledError,
      ],
      answers: {
        201: { description: 'The account was created.', schema: signedInSchema },
        202: { description: 'The person waits for an admin.', schema: waitingSchema },
      },
      async handle(request) {
        requireLocalSignIn()
        const { setup_code: _, invitation: token, ...input } = request.body
        const invitation = await invitationOf(token)
        // An invitation is used for what it says, whoever is signed in in the same browser.
        const grant = invitation ? { trusted: false, mayBeFirst: false, ...invitation } : await grantOf(request)
        if (registration === 'approval' && !grant.trusted && !invitation && !(await accounts.isEmpty())) {
          const { username, expires_at } = await requests.ask(input, { address: request.address })
          return accepted({ status: 'waiting', username, expires_at })
        }
        const signedIn = await signIn.register(invitation ? invitedInput(input, invitation.record) : input, grant, {
          ...originOf(request),
          createdBy: grant.trusted ? request.principal?.userId : undefined,
          ...(invitation ? { invitationId: invitation.record.id } : {}),
        })
        const response = created({ ...signedIn.answer })
        return grant.trusted ? response : withCookie(response, signedIn)
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/login',
      operationId: 'login',
      summary: 'Sign in',
      description: 'Ends the session of the refresh cookie in the request. Sessions on other devices stay.',
      tags: ['accounts'],
      auth: 'public',
      body: { kind: 'json', schema: credentialsSchema, limit: authBodyLimit },
      errors: [invalidCredentialsError, accountDisabledError, accountWaitingError, localAuthDisabledError, signInBusyError],
      answers: { 200: { description: 'A new session.', schema: signedInSchema } },
      async handle(request) {
        requireLocalSignIn()
        const signedIn = await signIn.logIn(request.body, originOf(request))
        return withCookie(ok({ ...signedIn.answer }), signedIn)
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/refresh',
      operationId: 'refresh',
      summary: 'Get another access token with the refresh cookie',
      description:
        'The cookie is replaced. A cookie that was replaced before ends the session (`refresh_reused`), except within ten seconds from the same address and browser.',
      tags: ['accounts'],
      auth: 'public',
      errors: [refreshReusedError, unauthenticatedError],
      answers: { 200: { description: 'The session continues.', schema: signedInSchema } },
      async handle(request) {
        const { earlierToken, ...client } = originOf(request)
        if (earlierToken === undefined) throw unauthenticatedError.create({})
        const signedIn = await signIn.refresh(earlierToken, client)
        return withCookie(ok({ ...signedIn.answer }), signedIn)
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/logout',
      operationId: 'logout',
      summary: 'End the current session',
      description: 'Its access tokens and streams end at once. Repeating it changes nothing.',
      tags: ['accounts'],
      auth: 'public',
      answers: { 204: { description: 'The session has ended.' } },
      async handle(request) {
        const { earlierToken: refreshToken, address } = originOf(request)
        await signIn.logOut({ sessionId: request.principal?.sessionId, refreshToken }, address)
        return { ...noContent(), headers: { 'set-cookie': cookie.clear() } }
      },
    }),
  ]
}
