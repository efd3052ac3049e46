import { ServiceError } from '@agent-service/sdk'
import {
  type AccessScope,
  type HttpRoute,
  type Principal,
  requireConfirmed,
  sessionRequiredError,
} from '@agent-service/sdk/contracts/http-route'
import type { Authentication, Authenticator, PresentedCredentials } from '../authenticator.js'
import { crossSiteRequestError, forbiddenError, notReadyError, unauthenticatedError } from '../errors.js'
import type { OriginPolicy } from '../limits/origin-policy.js'
import type { RouteAccess } from '../route-access.js'
import { refreshCookieName } from './credentials.js'
import type { Exchange } from './exchange.js'

/** What a token must have been given for a route; `undefined` where nothing is asked. */
export function scopeOf(route: HttpRoute): AccessScope | undefined {
  if (route.scope !== undefined) return route.scope
  if (route.auth === 'public') return undefined
  if (route.auth === 'admin') return 'admin'
  return route.method === 'GET' ? 'read' : 'write'
}

/**
 * Finds out who calls and whether they may, before anything of the body is looked at. On a public route a credential that does not hold counts
 * as none: signing in must work with a stale cookie.
 *
 * @throws `unauthenticated`, `forbidden`, `session_required`, `cross_site_request`, `policies_unavailable`
 */
export async function authorize(
  exchange: Exchange,
  route: HttpRoute,
  credentials: PresentedCredentials,
  options: {
    readonly authenticator: Authenticator | undefined
    readonly routeAccess: RouteAccess | undefined
    readonly origins: OriginPolicy
  },
): Promise<Authentication | undefined> {
  const authentication = await authenticate(route, credentials, options.authenticator)
  try {
    checkOrigin(exchange, route, credentials, options.origins)
    if (route.auth !== 'public' && !authentication) throw unauthenticatedError.create({})
    if (authentication && route.auth !== 'public') await checkReach(route, authentication.principal, options.routeAccess)
  } catch (error) {
    authentication?.release()
    throw error
  }
  return authentication
}

async function authenticate(
  route: HttpRoute,
  credentials: PresentedCredentials,
  authenticator: Authenticator | undefined,
): Promise<Authentication | undefined> {
  const { bearer, queryToken, presigned, cookies } = credentials
  const presented = [bearer, queryToken, presigned].some((each) => each !== undefined) || Object.keys(cookies).length > 0
  if (!presented || !authenticator) return undefined
  try {
    return await authenticator.authenticate(credentials)
  } catch (error) {
    if (route.auth === 'public' && ServiceError.isInstance(error) && error.status === 401) return undefined
    throw error
  }
}

/** Where accounts, credentials and the service itself are managed: for people and their own programs alone. */
const isManagement = ({ path }: HttpRoute): boolean => path.startsWith('/api/auth/') || path.startsWith('/api/admin/')

/** Whether somebody who is known may call a route, by what acts, by policy, then by scope. @throws as {@link authorize}. */
export async function checkReach(route: HttpRoute, principal: Principal, access: RouteAccess | undefined): Promise<void> {
  if (principal.actor && isManagement(route)) throw sessionRequiredError.create({})
  if (!access) throw notReadyError.create({ step: 'policies' }, { retryAfterSeconds: 1 })
  if (!(await access.mayCall(principal, route))) throw forbiddenError.create({ reason: 'This account may not do this.' })
  if (route.confirmed) requireConfirmed(principal)
  const scope = scopeOf(route)
  if (scope !== undefined && !principal.scopes.includes(scope)) {
    throw forbiddenError.create({ reason: `The access token was not given the scope “${scope}”.` })
  }
}

/**
 * A cookie goes along with requests that a foreign page makes; a bearer does not, and decides alone where both are there. Whether the cookie still
 * counts does not matter: refreshing and signing out act on one that is stale, too.
 */
function checkOrigin(exchange: Exchange, route: HttpRoute, credentials: PresentedCredentials, origins: OriginPolicy): void {
  if (route.method === 'GET' || credentials.bearer !== undefined || credentials.queryToken !== undefined) return
  if (!Object.hasOwn(credentials.cookies, refreshCookieName)) return
  if (!origins.allowsCookieChange(exchange.request)) throw crossSiteRequestError.create({})
}
