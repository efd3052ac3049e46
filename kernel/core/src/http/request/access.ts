import { ServiceError } from '@agent-service/sdk'
import {
  type AccessScope,
  type HttpRoute,
  type Principal,
  peopleOnlyError,
  requireConfirmed,
  scopeMissingError,
  sessionRequiredError,
} from '@agent-service/sdk/contracts/http-route'
import type { Authentication, Authenticator, PresentedCredentials } from '../authenticator.js'
import { crossSiteRequestError, forbiddenError, programTokenRequiredError, unauthenticatedError } from '../errors.js'
import { refreshCookieName } from './credentials.js'
import type { Exchange } from './exchange.js'
import type { OriginPolicy } from './origin-policy.js'

/**
 * Decides whether a principal's role permits a route. The scopes of tokens are checked separately.
 */
export interface RouteAccess {
  /**
   * Called for every request to a route that is not public. @throws `policies_unavailable` if no
   * decision is possible.
   */
  mayCall(principal: Principal, route: HttpRoute): Promise<boolean>
}

const usualScopes = { none: [], read: ['read'], write: ['write'], admin: ['admin'] } as const satisfies Record<
  string,
  readonly AccessScope[]
>

/** The scopes of a route: a token needs one of them. Empty if the route requires none. */
export function scopesOf({ scope, auth, method }: Pick<HttpRoute, 'scope' | 'auth' | 'method'>): readonly AccessScope[] {
  if (scope !== undefined) return typeof scope === 'string' ? [scope] : scope
  if (auth === 'public') return usualScopes.none
  if (auth === 'admin') return usualScopes.admin
  return method === 'GET' ? usualScopes.read : usualScopes.write
}

/**
 * Authenticates and authorizes a request before its body is read. The exchange releases the
 * authentication, also if this throws. On a public route a credential that is not valid counts as
 * none, so that signing in works with a stale cookie. What comes through the listener for programs
 * needs a token of an actor, on public routes too.
 *
 * @throws `unauthenticated`, `people_only`, `forbidden`, `session_required`,
 * `confirmation_required`, `cross_site_request`, `policies_unavailable`
 */
export async function authorize(
  exchange: Exchange,
  route: HttpRoute,
  credentials: PresentedCredentials,
  options: {
    readonly authenticator: Authenticator
    readonly routeAccess: RouteAccess
    readonly origins: OriginPolicy
  },
): Promise<Authentication | undefined> {
  const { program } = exchange.client
  const isPublic = route.auth === 'public'
  const authentication = isPresented(credentials)
    ? await (isPublic || program
        ? options.authenticator.authenticate(credentials).catch(ignoreInvalid)
        : options.authenticator.authenticate(credentials))
    : undefined
  if (authentication) exchange.releases.push(() => authentication.release())
  if (program && authentication?.principal.actor === undefined) throw programTokenRequiredError.create({})
  checkOrigin(exchange, route, credentials, options.origins)
  if (isPublic) {
    if (authentication) checkActor(route, authentication.principal)
    return authentication
  }
  if (!authentication) throw unauthenticatedError.create({})
  await checkReach(route, authentication.principal, options.routeAccess)
  return authentication
}

function isPresented({ bearer, queryToken, presigned, cookies }: PresentedCredentials): boolean {
  if (bearer !== undefined || queryToken !== undefined || presigned !== undefined) return true
  return Object.keys(cookies).length > 0
}

function ignoreInvalid(error: unknown): undefined {
  if (ServiceError.isInstance(error) && error.status === 401) return undefined
  throw error
}

/**
 * Checks that a principal may call a route: by its actor, by policy, by the required session or
 * confirmation, then by scope. @throws the errors of {@link authorize}
 */
export async function checkReach(route: HttpRoute, principal: Principal, access: RouteAccess): Promise<void> {
  checkActor(route, principal)
  if (!(await access.mayCall(principal, route))) throw forbiddenError.create({ reason: 'This account is not permitted to do this.' })
  if (route.session && principal.sessionId === undefined) throw sessionRequiredError.create({})
  if (route.confirmed) requireConfirmed(principal)
  const scopes = scopesOf(route)
  if (scopes.length > 0 && !scopes.some((scope) => principal.scopes.includes(scope))) throw scopeMissingError.create({ scopes })
}

/** An actor may call only routes that name its kind, public ones included. @throws `people_only`. */
function checkActor({ actors, operationId }: HttpRoute, { actor }: Principal): void {
  if (actor && !actors?.includes(actor.kind)) throw peopleOnlyError.create({ actor: actor.kind, what: `call “${operationId}”` })
}

/**
 * Browsers send a cookie along with requests of foreign pages, but never a bearer token. So the
 * origin is checked if the cookie is the only credential, even a stale one: refreshing and signing
 * out act on it too.
 */
function checkOrigin(exchange: Exchange, route: HttpRoute, credentials: PresentedCredentials, origins: OriginPolicy): void {
  if (route.method === 'GET' || credentials.bearer !== undefined || credentials.queryToken !== undefined) return
  if (!Object.hasOwn(credentials.cookies, refreshCookieName)) return
  if (!origins.allowsCookieChange(exchange.request)) throw crossSiteRequestError.create({})
}
