import { checkRouteAgreement, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { routeInvalidError, routeNotOwnedError } from '../errors.js'
import type { RouteOwner } from '../route-table.js'

const parameterSegment = /^\{([a-z][a-z0-9_]*)\}$/

/** The name of a route in errors and logs: `GET /api/chats/{chat_id}`. */
export const nameOfRoute = (route: HttpRoute): string => `${route.method} ${route.path}`

/** The segments of a route's path: text for a literal segment, `undefined` for a parameter. */
export function segmentsOf(path: string): readonly (string | undefined)[] {
  return path
    .slice(1)
    .split('/')
    .map((segment) => (parameterSegment.test(segment) ? undefined : segment))
}

/** The names of a path's parameters, in order. */
export function parameterNamesOf(path: string): readonly string[] {
  return path.split('/').flatMap((segment) => parameterSegment.exec(segment)?.[1] ?? [])
}

/**
 * The path without the names of its parameters: two routes with the same method and shape answer
 * the same requests.
 */
export const shapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')

/** @throws `route_invalid` with the first problem, `route_not_owned`. */
export function checkRoute(route: HttpRoute, owner: RouteOwner): void {
  const reason = reasonAgainst(route)
  if (reason !== undefined) throw routeInvalidError.create({ route: nameOfRoute(route), owner: owner.id, reason })
  checkOwned(route.path, nameOfRoute(route), owner)
}

/** @throws `route_not_owned` for a path that its owner may not use. */
export function checkOwned(path: string, name: string, { id, prefixes }: RouteOwner): void {
  if (prefixes && !prefixes.some((prefix) => lies(path, prefix))) throw routeNotOwnedError.create({ route: name, owner: id, prefixes })
}

/**
 * Prefixes of the routes that manage accounts, credentials and the service: only for people and
 * their own programs.
 */
const managementPrefixes: readonly string[] = ['/api/auth/', '/api/admin/']
const isManagement = (path: string): boolean => managementPrefixes.some((prefix) => path.startsWith(prefix))

/** Compares whole segments: `/api/chats` covers `/api/chats/{id}` but not `/api/chatsx`. */
function lies(path: string, prefix: string): boolean {
  const base = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix
  return path === base || path.startsWith(`${base}/`)
}

/**
 * Why a route cannot be in the table. Also applies to routes of the kernel; contributions of
 * plugins were validated before.
 */
function reasonAgainst(route: HttpRoute): string | undefined {
  const { path, method } = route
  if (route.specVersion !== 1) return `specVersion must be 1, not ${String(route.specVersion)}`
  if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) return `“${String(method)}” is not a supported method`
  if (typeof path !== 'string' || !path.startsWith('/')) return 'the path must begin with “/”'
  if (!/^[a-z][A-Za-z0-9]*$/.test(route.operationId)) return `the operationId “${route.operationId}” is not camelCase`
  if (!['public', 'user', 'admin'].includes(route.auth)) return `auth must be public, user or admin, not “${String(route.auth)}”`
  if (typeof route.handle !== 'function') return 'it has no handle function'
  if (typeof route.answers !== 'object' || Object.keys(route.answers).length === 0) return 'it declares no answers'
  const limit = route.body?.limit
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0)) return 'the body limit must be a whole number of bytes above 0'
  if (route.body?.kind === 'stream' && route.body.contentTypes.length === 0) return 'a streamed body must name its content types'
  if (route.actors !== undefined && isManagement(path))
    return `it names actors, but paths below ${managementPrefixes.join(' and ')} are only for people`
  return checkRouteAgreement(route).map((problem) => `${problem.path} ${problem.message}`)[0]
}
