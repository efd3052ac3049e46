import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, type RouteRequest, sessionRequiredError } from '@agent-service/sdk/contracts/http-route'
import type { Urls } from '@agent-service/sdk/services/urls'
import { confirmationForeignError } from '../common/errors.js'
import type { IdentityProvider } from '../provider/identity-provider.js'
import { beginSignIn } from '../sign-in/begin-sign-in.js'
import type { PendingSignIns } from '../sign-in/pending-sign-ins.js'
import { checkReturnPath } from '../sign-in/return-path.js'
import { errorPage, errorPageAnswers } from './error-page.js'

const querySchema = Type.Object({
  return_to: Type.Optional(
    Type.String({ maxLength: 3_000, description: 'The path of the pages to open after the sign-in. Default: `/`.' }),
  ),
  confirm: Type.Optional(
    Type.Boolean({
      description:
        'Confirms the session of the browser instead of beginning one: the provider requires a new sign-on. Only from a page of this service.',
    }),
  ),
  setup_code: Type.Optional(Type.String({ maxLength: 200, description: 'For the first account, from another machine.' })),
})

/** Redirects a browser to the identity provider. */
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
      'For navigation in a browser. The identity provider redirects to `/api/auth/sso/callback`, which redirects to `return_to`, signed in by the refresh cookie. With `confirm=true`, the session of the browser is confirmed for five minutes instead (`confirmation_mismatch` if another person signs on, `confirmation_stale` if the provider did not require a new sign-on). A request that does not accept `text/html` gets errors as problems.',
    tags: ['accounts'],
    auth: 'public',
    query: querySchema,
    answers: { 303: { description: 'Redirects to the identity provider.' }, ...errorPageAnswers },
    async handle(request) {
      try {
        const { return_to: returnTo = '/', setup_code: setupCode, confirm = false } = request.query
        const returnPath = checkReturnPath(returnTo)
        const confirms = confirm ? sessionToConfirm(request, urls) : undefined
        const purpose = {
          returnPath,
          ...(setupCode === undefined ? {} : { setupCode }),
          ...(confirms === undefined ? {} : { confirms }),
        }
        return await beginSignIn({ provider, pendingSignIns }, purpose, { present: request.cookies ?? {} })
      } catch (error) {
        return errorPage(request, error, { home: urls.page('/') })
      }
    },
  })
}

/**
 * The session that a page of this service asks to confirm. Otherwise someone with access to the
 * session could send its person to the provider and wait for the sign-on.
 * @throws `session_required`, `sso_confirmation_foreign`.
 */
function sessionToConfirm({ principal, headers }: Pick<RouteRequest, 'principal' | 'headers'>, urls: Urls): string {
  if (principal?.sessionId === undefined) throw sessionRequiredError.create({})
  if (!isFromOwnPage(headers, urls)) throw confirmationForeignError.create({})
  return principal.sessionId
}

/**
 * Checks Fetch Metadata, which pages cannot forge, or the origin of the referring page. A request
 * with neither does not come from a page.
 */
function isFromOwnPage(headers: RouteRequest['headers'], urls: Urls): boolean {
  const { 'sec-fetch-site': site, referer } = headers
  if (site === 'same-origin') return true
  if (referer === undefined) return site === undefined
  const own = [urls.page('/'), urls.api('/')].map((address) => new URL(address).origin)
  return URL.canParse(referer) && own.includes(new URL(referer).origin)
}
