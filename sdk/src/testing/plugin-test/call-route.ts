import { randomUUID } from 'node:crypto'
import type { TSchema } from 'typebox'
import { invalidRequestError } from '../../contracts/http-route/errors.js'
import type { Principal } from '../../contracts/http-route/principal.js'
import type { HttpRoute, RouteRequest, RouteResponse } from '../../contracts/http-route/route.js'
import { defineError } from '../../core/errors.js'
import type { JsonValue } from '../../core/json.js'
import { validate } from '../../core/validate.js'
import { testAccount } from '../fakes/fake-services.js'
import { fillValues } from './fill-values.js'

/** A request as a client sends it; absent members are empty. */
export interface TestRequest {
  /** The path's parameters, as text or as the values that the schema wants. */
  readonly params?: Readonly<Record<string, string | number | boolean>>
  /** The query; a list is a repeated parameter. */
  readonly query?: Readonly<Record<string, JsonValue>>
  /** Path and query as they were sent, on routes with `foreign`. Default: the path. */
  readonly rawTarget?: string
  /** A JSON body, or the pieces of a streamed one. */
  readonly body?: JsonValue | AsyncIterable<Uint8Array>
  /** Default {@link testPrincipal}; null: the request has no credential. */
  readonly principal?: Principal | null
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /** The plugin's own cookies. */
  readonly cookies?: Readonly<Record<string, string>>
  /** Aborted when the client goes away. Default: never. */
  readonly signal?: AbortSignal
}

/** The default principal of requests: `testAccount`, with every scope of a user. */
export const testPrincipal: Principal = {
  userId: testAccount.id,
  username: testAccount.username,
  handle: testAccount.handle,
  role: 'user',
  scopes: ['read', 'write', 'inference'],
}

/**
 * The request would not reach the handler: the host refuses its principal. The codes are those of
 * the host.
 */
export const routeRefusedError = defineError<{ readonly operation: string; readonly reason: string; readonly status: 401 | 403 }>({
  code: 'route_refused',
  status: 403,
  title: 'Refused before the handler',
  message: ({ operation, reason, status }) => `The host answers ${status} to ${operation}: ${reason}`,
})

/**
 * Calls a route as the host does: checks the principal, converts and validates `params`, `query`
 * and `body`, fills in defaults, then runs the handler. @throws `invalid_request` with each
 * problem, `route_refused`, and what the handler throws.
 */
export async function callRoute(route: HttpRoute, request: TestRequest = {}): Promise<RouteResponse> {
  const principal = request.principal === null ? undefined : (request.principal ?? testPrincipal)
  demandAccess(route, principal)
  const params = checked('params', route.params, request.params ?? {}, true)
  const query = route.foreign ? {} : checked('query', route.query ?? closed, request.query ?? {}, true)
  const isJson = route.body?.kind === 'json'
  const body = route.body?.kind === 'json' ? checked('body', route.body.schema, request.body, false) : undefined
  const incoming: RouteRequest = {
    method: route.method,
    path: pathOf(route, request.params ?? {}),
    ...(route.foreign && { rawTarget: request.rawTarget ?? pathOf(route, request.params ?? {}) }),
    params,
    query,
    body,
    headers: request.headers ?? {},
    ...(request.cookies && { cookies: request.cookies }),
    ...(route.body !== undefined && !isJson && { bodyStream: streamOf(request.body) }),
    ...(principal && { principal }),
    requestId: randomUUID(),
    address: '127.0.0.1',
    loopback: true,
    signal: request.signal ?? new AbortController().signal,
  }
  return route.handle(incoming)
}

const closed = { type: 'object', properties: {}, additionalProperties: false } as TSchema

function demandAccess(route: HttpRoute, principal: Principal | undefined): void {
  const { auth, operationId } = route
  const refuse = (status: 401 | 403, reason: string): Error => routeRefusedError.create({ operation: operationId, status, reason })
  if (auth === 'public') return
  if (!principal) throw refuse(401, `it has the level “${auth}”, and the request has no principal.`)
  const reason = reasonAgainst(route, principal)
  if (reason !== undefined) throw refuse(403, reason)
}

/** Why the host refuses this principal. Policies permit everything here. */
function reasonAgainst({ auth, method, scope, actors, session, confirmed }: HttpRoute, principal: Principal): string | undefined {
  const { actor, role, scopes, sessionId } = principal
  if (actor && !actors?.includes(actor.kind)) return `its “actors” do not include “${actor.kind}”.`
  if (auth === 'admin' && role !== 'admin') return 'it is only for administrators.'
  if ((session || confirmed) && sessionId === undefined) return 'it requires a session, and the principal has none.'
  if (confirmed && !principal.confirmed) return 'it requires a recently confirmed session.'
  const needed = scope ?? (auth === 'admin' ? 'admin' : method === 'GET' ? 'read' : 'write')
  const any = typeof needed === 'string' ? [needed] : needed
  if (any.some((one) => scopes.includes(one))) return undefined
  return `it requires the scope “${any.join('” or “')}”, and the principal has ${scopes.join(', ')}.`
}

function checked(where: 'params' | 'query' | 'body', schema: TSchema | undefined, given: unknown, convert: boolean): unknown {
  if (schema === undefined) return given
  const value = fillValues(schema, given, { convert })
  const problems = validate(schema, value)
  if (problems.length > 0) throw invalidRequestError.create({ where }, { problems })
  return value
}

function pathOf({ path }: HttpRoute, params: Readonly<Record<string, string | number | boolean>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`The path ${path} needs the parameter “${name}”. Pass it in params.`)
    return String(value)
  })
}

async function* streamOf(body: TestRequest['body']): AsyncIterable<Uint8Array> {
  if (isPieces(body)) yield* body
}

const isPieces = (body: TestRequest['body']): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body
