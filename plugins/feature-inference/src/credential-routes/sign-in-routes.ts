import { type Static, Type } from '@agent-service/sdk'
import {
  confirmationRequiredError,
  created,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  notFoundError,
  ok,
  type RouteRequest,
  requireConfirmedAdmin,
  sessionRequiredError,
} from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { SignInRedirect } from '@agent-service/sdk/services/credentials'
import {
  credentialExistsError,
  credentialNotFoundError,
  signInStateError,
  signInsTooManyError,
  signInUnavailableError,
} from '@agent-service/sdk/services/credentials'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { Connections } from '../connections/connections.js'
import { signInUnsupportedError } from '../credentials/errors.js'
import type { ManagedCredential } from '../credentials/managed-credential.js'
import type { ManagedCredentials } from '../credentials/managed-credentials.js'
import { type SignInView, signInSchema } from '../credentials/sign-in-view.js'
import type { AccountSignIns } from './account-sign-ins.js'
import { brandName, credentialLabel } from './credential-fields.js'
import { actorOf, credentialsPath, credentialTags } from './credential-routes.js'
import { connectionsUsing } from './test-credential.js'

const signInsPath = `${credentialsPath}/sign-in`
/** Where vendors redirect people back to. */
export const callbackPath = `${signInsPath}/callback`

const params = Type.Object({ sign_in_id: Type.String({ minLength: 1, maxLength: 100 }) })
const parameter = (description: string) => Type.Optional(Type.String({ maxLength: 8_000, description }))
/** The parameters of RFC 6749; vendors send more. */
const redirectSchema = Type.Object(
  {
    state: parameter('The state that the sign-in began with.'),
    code: parameter('The authorization code.'),
    error: parameter('The error code if there are no tokens.'),
    iss: parameter('The issuer that responds.'),
  },
  { additionalProperties: true },
)
const answers = { 200: { description: 'The sign-in.', schema: signInSchema } }

/** `/api/admin/credentials/sign-in`: accounts instead of keys. */
export function createSignInRoutes(dependencies: {
  readonly signIns: AccountSignIns
  readonly managed: Pick<ManagedCredentials, 'find'>
  readonly catalogue: Catalogue
  readonly connections: Connections
  readonly audit: Pick<Audit, 'note'>
}): readonly HttpRoute[] {
  const { signIns, managed, catalogue, connections, audit } = dependencies

  return [
    defineRoute({
      method: 'POST',
      path: signInsPath,
      operationId: 'beginAccountSignIn',
      summary: 'Sign in with an account at a brand',
      description:
        'Either a code that a person enters at the vendor (`device`), or a page of the vendor to open in the browser (`browser`). Completing it creates a credential. With `credential_id`, that credential takes the new account and its connections keep working; while one uses it, that needs a confirmed session.',
      tags: credentialTags,
      auth: 'admin',
      includes: ['createCredential'],
      body: {
        kind: 'json',
        schema: Type.Object({
          brand: brandName,
          label: Type.Optional(credentialLabel),
          credential_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The account that signs in again.' })),
        }),
      },
      errors: [
        ...[signInUnsupportedError, credentialNotFoundError, credentialExistsError, signInsTooManyError, signInUnavailableError],
        ...[sessionRequiredError, confirmationRequiredError],
      ],
      answers: { 201: { description: 'The pending sign-in.', schema: signInSchema } },
      async handle(request) {
        const { brand: name, label, credential_id: credentialId } = request.body
        const brand = catalogue.brand(name)
        const settings = brand?.sign_in
        if (!brand || !settings) {
          const known = catalogue.brands.filter((candidate) => candidate.sign_in).map(({ id }) => id)
          throw signInUnsupportedError.create({ brand: name, known })
        }
        const again = credentialId === undefined ? undefined : await accountOf(credentialId, brand.id, managed)
        if (again && connectionsUsing(again.id, connections).length > 0) requireConfirmedAdmin(request.principal)
        const begun = await signIns.begin(
          {
            ...{ brand: brand.id, settings, label: label?.trim() ?? again?.label ?? `${brand.name} account`, userId: userOf(request) },
            ...(again && { credentialId: again.id }),
          },
          { signal: request.signal },
        )
        await audit.note(eventOf('credential.sign_in_begun', begun))
        return created({ ...begun })
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${signInsPath}/{sign_in_id}`,
      operationId: 'getAccountSignIn',
      summary: 'Get the state of a sign-in',
      tags: credentialTags,
      auth: 'admin',
      params,
      answers,
      handle: async (request) => ok({ ...signIns.get(request.params.sign_in_id, actorOf(request).userId) }),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${signInsPath}/{sign_in_id}`,
      operationId: 'cancelAccountSignIn',
      summary: 'Cancel a sign-in',
      description: 'Has no effect on a sign-in that has ended.',
      tags: credentialTags,
      auth: 'admin',
      params,
      answers,
      async handle(request) {
        const cancelled = signIns.cancel(request.params.sign_in_id, userOf(request))
        await audit.note(eventOf('credential.sign_in_cancelled', cancelled))
        return ok({ ...cancelled })
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${signInsPath}/{sign_in_id}/redirect`,
      operationId: 'completeAccountSignIn',
      summary: 'Complete a sign-in with the address that the browser was redirected to',
      description:
        'For vendors that redirect the browser to an address on its own machine, where nothing listens (`returns_here` is false).',
      tags: credentialTags,
      auth: 'admin',
      includes: ['createCredential'],
      params,
      body: { kind: 'json', schema: Type.Object({ url: Type.String({ minLength: 1, maxLength: 16_000 }) }) },
      answers,
      async handle(request) {
        const { userId } = actorOf(request)
        const id = request.params.sign_in_id
        signIns.get(id, userId)
        return ok({ ...(await signIns.complete(redirectIn(request.body.url), { userId, id })) })
      },
    }),
    defineRoute({
      method: 'GET',
      path: callbackPath,
      operationId: 'returnFromAccountSignIn',
      summary: 'Receive the redirect of a vendor',
      description: 'Works once, and only in a session of the administrator who began the sign-in.',
      tags: credentialTags,
      auth: 'admin',
      includes: ['createCredential'],
      scope: 'admin',
      changes: true,
      query: redirectSchema,
      errors: [signInStateError, signInUnavailableError],
      answers: {
        200: {
          description: 'The outcome, for a person to read.',
          contentType: 'text/plain',
          example: 'You are signed in. Close this page.',
        },
      },
      handle: async (request) => answerToPerson(await signIns.complete(redirectOf(request.query), { userId: userOf(request) })),
    }),
  ]
}

/** The account that signs in again. @throws `not_found`, `invalid_request`. */
async function accountOf(id: string, brand: string, managed: Pick<ManagedCredentials, 'find'>): Promise<ManagedCredential> {
  const credential = await managed.find(id)
  if (!credential) throw notFoundError.create({ what: 'credential' })
  if (credential.kind === 'account' && credential.brand === brand) return credential
  const message = credential.kind === 'account' ? `is an account of “${credential.brand}”` : 'is an API key; only accounts can sign in'
  throw invalidRequestError.create({ where: 'body' }, { problems: [{ path: '/credential_id', message }] })
}

/** The audit event of a sign-in. Its completion is recorded with the credential that it creates. */
const eventOf = (
  kind: 'credential.sign_in_begun' | 'credential.sign_in_cancelled',
  { sign_in_id: id, kind: flow, brand, state, credential_id: credentialId }: SignInView,
) => ({ kind, subject: id, details: { brand, flow, state, ...(credentialId !== undefined && { credential_id: credentialId }) } })

const userOf = (request: Pick<RouteRequest, 'principal' | 'address'>): string => actorOf(request).userId

const redirectOf = ({ state, code, error, iss }: Static<typeof redirectSchema>): SignInRedirect => ({
  ...(state !== undefined && { state }),
  ...(code !== undefined && { code }),
  ...(error !== undefined && { error }),
  ...(iss !== undefined && { iss }),
})

/** @throws `invalid_request` for a text that is not an address. */
function redirectIn(text: string): SignInRedirect {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed))
    throw invalidRequestError.create(
      { where: 'body' },
      { problems: [{ path: '/url', message: 'must be the complete address that the browser shows, starting with http://' }] },
    )
  const { searchParams } = new URL(trimmed)
  return redirectOf(Object.fromEntries(searchParams))
}

/** Plain text for the person in the window that can be closed. */
const answerToPerson = ({ state, message }: SignInView) =>
  ({
    status: 200,
    kind: 'bytes',
    contentType: 'text/plain; charset=utf-8',
    bytes: Buffer.from(
      state === 'completed' ? 'You are signed in. You can close this window.\n' : `${message ?? 'The sign-in was cancelled.'}\n`,
      'utf8',
    ),
  }) as const
