import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { routeInvalidError, routeNotOwnedError } from '../errors.js'
import type { RouteOwner } from '../route-table.js'

const literalSegment = /^[A-Za-z0-9._~!$&'()*+,;=:@-]+$/
const parameterSegment = /^\{([a-z][a-z0-9_]*)\}$/

/** `GET /api/chats/{chat_id}`: how errors and logs name a route. */
export const nameOfRoute = (route: HttpRoute): string => `${route.method} ${route.path}`

/** The segments of a route's path: text for a literal one, `undefined` for a parameter. */
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

/** The path with its parameters' names left out: two routes of one method and shape answer the same requests. */
export const shapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')

/** @throws `route_invalid` with the first thing that does not hold together, `route_not_owned`. */
export function checkRoute(route: HttpRoute, owner: RouteOwner): void {
  const reason = reasonAgainst(route)
  if (reason !== undefined) throw routeInvalidError.create({ route: nameOfRoute(route), owner: owner.id, reason })
  const { prefixes } = owner
  if (prefixes && !prefixes.some((prefix) => lies(route.path, prefix))) {
    throw routeNotOwnedError.create({ route: nameOfRoute(route), owner: owner.id, prefixes })
  }
}

/** By whole segments: `/api/chats` covers `/api/chats/{id}` and not `/api/chatsx`. */
function lies(path: string, prefix: string): boolean {
  const base = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix
  return path === base || path.startsWith(`${base}/`)
}

function reasonAgainst(route: HttpRoute): string | undefined {
  const { path, method } = route
  if (route.specVersion !== 1) return `specVersion must be 1, not ${String(route.specVersion)}`
  if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) return `“${String(method)}” is not a method of routes`
  if (typeof path !== 'string' || !path.startsWith('/')) return 'the path must begin with “/”'
  for (const segment of path.slice(1).split('/')) {
    if (segment === '' && path !== '/') return 'the path has an empty segment'
    if (segment === '.' || segment === '..') return 'the path has a dot segment'
    if (segment !== '' && !literalSegment.test(segment) && !parameterSegment.test(segment)) {
      return `“${segment}” is neither a literal segment nor a parameter such as {chat_id}`
    }
  }
  const names = parameterNamesOf(path)
  if (new Set(names).size !== names.length) return 'the path has a parameter twice'
  if (!/^[a-z][A-Za-z0-9]*$/.test(route.operationId)) return `the operationId “${route.operationId}” is not camelCase`
  if (!['public', 'user', 'admin'].includes(route.auth)) return `“${String(route.auth)}” is not an auth level`
  if (typeof route.handle !== 'function') return 'it has no handle function'
  return reasonAgainstSchemas(route, names) ?? reasonAgainstPresigning(route) ?? reasonAgainstBody(route)
}

function reasonAgainstSchemas(route: HttpRoute, names: readonly string[]): string | undefined {
  if (route.params) {
    const declared = Object.keys(route.params.properties)
    const missing = names.find((name) => !declared.includes(name))
    const surplus = declared.find((name) => !names.includes(name))
    if (missing !== undefined) return `params does not declare {${missing}}`
    if (surplus !== undefined) return `params declares “${surplus}”, which is not in the path`
  }
  if (route.streaming && route.query && 'token' in route.query.properties)
    return 'a streaming route’s query may not declare “token”: it is a credential there'
  if (typeof route.answers !== 'object' || Object.keys(route.answers).length === 0) return 'it declares no answers'
  return undefined
}

function reasonAgainstPresigning(route: HttpRoute): string | undefined {
  if (!route.presignable) return undefined
  if (route.method !== 'GET') return 'only a GET can be presignable'
  if (route.auth !== 'user' || (route.scope ?? 'read') !== 'read') return 'a presignable route has the level “user” and the scope “read”'
  if (route.streaming) return 'a stream of events cannot be presignable'
  if (!route.query || 'presign' in route.query.properties)
    return 'a presignable route has a query, which may not declare “presign”: it is a credential there'
  return undefined
}

function reasonAgainstBody(route: HttpRoute): string | undefined {
  if (route.idempotent && route.method !== 'POST') return 'only a POST can be idempotent by key'
  if (!route.body) return undefined
  if (route.method === 'GET') return 'a GET has no body'
  if (route.body.limit !== undefined && !(Number.isSafeInteger(route.body.limit) && route.body.limit > 0))
    return 'the body limit must be a whole number of bytes above 0'
  if (route.body.kind === 'stream' && route.body.contentTypes.length === 0) return 'a streamed body names its content types'
  if (route.body.kind === 'stream' && route.idempotent)
    return 'a streamed body cannot be compared, so the route cannot be idempotent by key'
  return undefined
}
