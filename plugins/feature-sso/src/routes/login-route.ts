import { randomBytes } from 'node:crypto'
import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, type RouteRequest, sessionRequiredError } from '@agent-service/sdk/contracts/http-route'
import type { Urls } from '@agent-service/sdk/services/urls'
import { confirmationForeignError } from '../common/errors.js'
import type { IdentityProvider } from '../provider/identity-provider.js'
import type { PendingSignIns } from '../sign-in/pending-sign-ins.js'
import { checkReturnPath } from '../sign-in/return-path.js'
import { answerToPerson, refusalAnswers } from './answer-to-person.js'

const querySchema = Type.Object({
  return_to: Type.Optional(
    Type.String({ maxLength: 3_000, description: 'Where to go after the sign-in: a path of the pages. Default: `/`.' }),
  ),
  confirm: Type.Optional(
    Type.Boolean({
      description:
        'Confirms the session of the browser in place of beginning one: the provider asks again who it is. Only from a page of this service.',
    }),
  ),
  setup_code: Type.Optional(Type.String({ maxLength: 200, description: 'For the first account, from another machine.' })),
})

/** 256 random bits in base64url: a state, a nonce, or a PKCE verifier (RFC 7636, 4.1). */
const randomText = (): string => randomBytes(32).toString('base64url')

/** Sends a browser to the identity provider. */
export function createLoginRoute(dependencies: {
  readonly provider: Pick<IdentityProvider, 'authorizationUrl'>
  readonly pendingSignIns: PendingSignIns
  readonly urls: Urls
}): HttpRoute {
  const { provider, pendingSignIns, urls } = dependencies
  return defineRoute({
    method: 'GET',
    path: '/api/auth/sso/login',
    operationId: 'beginSingleSignOn',
    summary: 'Sign in through the identity provider',
    description:
      'For browsers to navigate to. The identity provider sends them back to `/api/auth/sso/callback`, and that to `return_to`, signed in by the refresh cookie. With `confirm=true` the session of the browser is confirmed for five minutes instead (`confirmation_mismatch` where somebody else signs on, `confirmation_stale` where the provider did not ask again). A request that does not accept `text/html` gets errors as problems.',
    tags: ['accounts'],
    auth: 'public',
    query: querySchema,
    answers: { 303: { description: 'To the identity provider.' }, ...refusalAnswers },
    async handle(request) {
      try {
        const { return_to: returnTo = '/', setup_code: setupCode, confirm = false } = request.query
        const returnPath = checkReturnPath(returnTo)
        const confirms = confirm ? sessionToConfirm(request, urls) : undefined
        const [state, nonce, codeVerifier] = [randomText(), randomText(), randomText()]
        const location = await provider.authorizationUrl(state, { nonce, codeVerifier }, { anew: confirm })
        const pending = {
          ...{ nonce, codeVerifier, returnPath },
          ...(setupCode === undefined ? {} : { setupCode }),
          ...(confirms === undefined ? {} : { confirms }),
        }
        const cookies = await pendingSignIns.begin(state, pending, request.cookies ?? {})
        return { status: 303, kind: 'empty', headers: { location }, cookies }
      } catch (error) {
        return answerToPerson(request, error, { home: urls.page('/') })
      }
    },
  })
}

/**
 * The session that a page of ours asks to confirm. Whoever has borrowed it could otherwise lead its person to the provider and wait for them to sign on.
 * @throws `session_required`, `sso_confirmation_foreign`.
 */
function sessionToConfirm({ principal, headers }: Pick<RouteRequest, 'principal' | 'headers'>, urls: Urls): string {
  if (principal?.sessionId === undefined) throw sessionRequiredError.create({})
  if (!isFromOwnPage(headers, urls)) throw confirmationForeignError.create({})
  return principal.sessionId
}

/** By Fetch Metadata, which pages cannot forge; from pages of another host by their origin. A request with neither comes from no page at all. */
function isFromOwnPage(headers: RouteRequest['headers'], urls: Urls): boolean {
  const { 'sec-fetch-site': site, referer } = headers
  if (site === 'same-origin') return true
  if (referer === undefined) return site === undefined
  const own = [urls.page('/'), urls.api('/')].map((address) => new URL(address).origin)
  return URL.canParse(referer) && own.includes(new URL(referer).origin)
}
