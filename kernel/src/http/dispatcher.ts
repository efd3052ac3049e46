import type { Logger } from '@agent-service/sdk'
import {
  type HttpRoute,
  invalidRequestError,
  notFoundError,
  type RouteRequest,
  type RouteResponse,
} from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Context } from 'koa'
import { redactError } from '../log/redact-error.js'
import type { Redactor } from '../log/redactor.js'
import type { AnswerCheck } from './answer/answer-check.js'
import { sendBytes } from './answer/send-bytes.js'
import { sendRouteResponse } from './answer/send-route-response.js'
import type { Authentication, Authenticator } from './authenticator.js'
import { type BodyReaderOptions, type ReadBody, readBody } from './body/read-body.js'
import { methodNotAllowedError, notReadyError, routeStoppingError } from './errors.js'
import { answerOnce } from './idempotency/answer-once.js'
import type { IdempotencyStore } from './idempotency/idempotency-store.js'
import type { RateLimitState } from './limits/expensive-rate-limit.js'
import type { OriginPolicy } from './limits/origin-policy.js'
import { releaseWhenSent } from './limits/release-when-sent.js'
import { holderOfExchange, type RequestLimits } from './limits/request-limits.js'
import { authorize } from './request/access.js'
import { presignParameter, readCredentials, readPresigned } from './request/credentials.js'
import { type Exchange, GivenUpError } from './request/exchange.js'
import { type NoteOperation, runNoted } from './request/note-operation.js'
import { ownCookiesOf } from './request/own-cookies.js'
import { type RequestValues, readValues, refuseProblems } from './request/read-values.js'
import { parseQuery, type RequestTarget } from './request/request-target.js'
import { visibleHeaders } from './request/visible-headers.js'
import { watchForEnd } from './request/watch-for-end.js'
import type { RouteAccess } from './route-access.js'
import { kernelOwnerId } from './route-table.js'
import type { PathMatch, TableEntry } from './routing/compiled-routes.js'
import type { DispatchTable } from './routing/dispatch-table.js'

/** What dispatching needs. What opens later than the listener is asked for at each request. */
export interface DispatcherDependencies {
  readonly table: DispatchTable
  readonly bodies: BodyReaderOptions
  readonly origins: OriginPolicy
  readonly limitExpensive: (context: Context) => Promise<void>
  readonly shares: RequestLimits
  readonly authenticator: () => Authenticator | undefined
  readonly routeAccess: () => RouteAccess | undefined
  readonly idempotency: () => IdempotencyStore | undefined
  readonly clock: Clock
  readonly logger: Logger
  readonly redactor: Redactor
  /** Notes what administrators do. */
  readonly noteOperation: NoteOperation
  /** Set while plugins may still bring routes: what nobody answers yet is 503. */
  readonly startingStep: () => string | undefined
  readonly draining: () => boolean
  readonly answerCheck: AnswerCheck | undefined
  /** What is not of the API: pages and their files. False when it has nothing for the path. */
  servePage(exchange: Exchange, path: string): Promise<boolean>
}

/** Takes a request from its decoded path to its answer. Throws what is to be answered as a problem. */
export type Dispatcher = (context: Context, exchange: Exchange, target: RequestTarget) => Promise<void>

/** Makes the dispatcher. Each request stays with the routes that were there when it came. */
export function createDispatcher(dependencies: DispatcherDependencies): Dispatcher {
  return async (context, exchange, target) => {
    const match = dependencies.table.current().match(target.path)
    if (!match) return answerUnmatched(dependencies, exchange, target.path)
    if (exchange.method === 'OPTIONS') return answerOptions(exchange, match)
    const found = match.find(exchange.method)
    if (!found) throw methodNotAllowedError.create({ method: exchange.method, allowed: match.allowed })
    exchange.route = found.entry.route
    if (found.entry.route.streaming && dependencies.draining()) throw notReadyError.create({ step: 'draining' }, { retryAfterSeconds: 2 })
    return run(dependencies, { context, exchange, target, entry: found.entry, params: found.params })
  }
}

/** Whether a path belongs to the API, where an unknown path is a problem and never a page. */
const isApiPath = (path: string): boolean => /^\/(api|v1|\.well-known)(\/|$)/.test(path)

async function answerUnmatched(dependencies: DispatcherDependencies, exchange: Exchange, path: string): Promise<void> {
  if (isApiPath(path)) {
    const step = dependencies.startingStep()
    if (step !== undefined) throw notReadyError.create({ step }, { retryAfterSeconds: 1 })
    throw notFoundError.create({ what: 'path' })
  }
  if (!(await dependencies.servePage(exchange, path))) throw notFoundError.create({ what: 'path' })
}

function answerOptions(exchange: Exchange, match: PathMatch): void {
  sendBytes(exchange, { status: 204, headers: { allow: match.allowed.join(', ') } })
}

interface Call {
  readonly context: Context
  readonly exchange: Exchange
  readonly target: RequestTarget
  readonly entry: TableEntry
  readonly params: Readonly<Record<string, string>>
}

async function run(dependencies: DispatcherDependencies, call: Call): Promise<void> {
  const { exchange, target } = call
  const { route } = call.entry
  const pairs = parseQuery(target.search)
  const credential = credentialParameterOf(route)
  const given = credential === undefined ? undefined : pairs.find(([name]) => name === credential)?.[1]
  const credentials = readCredentials(exchange.request.headers, {
    queryToken: credential === 'token' ? given : undefined,
    presigned:
      credential === presignParameter && given !== undefined ? readPresigned(exchange.method, exchange.request.url ?? '') : undefined,
  })
  const authentication = await authorize(exchange, route, credentials, {
    authenticator: dependencies.authenticator(),
    routeAccess: dependencies.routeAccess(),
    origins: dependencies.origins,
  })
  try {
    if (route.rateClass === 'expensive') {
      const state = call.context.state as RateLimitState
      state.principalKey = holderOfExchange(exchange, authentication)
      await dependencies.limitExpensive(call.context)
    }
    const values = readValues(
      route,
      call.params,
      pairs.filter(([name]) => name !== credential),
    )
    const share = await dependencies.shares.begin(exchange, call.entry, authentication)
    try {
      await answer(dependencies, call, authentication, values)
    } finally {
      releaseWhenSent(exchange.response, share, dependencies.bodies.limits.stalledReaderMs)
    }
  } finally {
    authentication?.release()
  }
}

/** The parameter of the query that is a credential on this route. */
function credentialParameterOf(route: HttpRoute): string | undefined {
  if (route.streaming) return 'token'
  return route.presignable ? presignParameter : undefined
}

async function answer(
  dependencies: DispatcherDependencies,
  call: Call,
  authentication: Authentication | undefined,
  values: RequestValues,
): Promise<void> {
  const { exchange, entry, target } = call
  const { route, owner } = entry
  const idempotencyKey = route.idempotent ? headerText(exchange, 'idempotency-key') : undefined
  const holder = holderOfExchange(exchange, authentication)
  const read = await readBody(exchange, route, dependencies.bodies, { holder, wantDigest: idempotencyKey !== undefined })
  refuseProblems('body', read.problems)
  const hold = owner.acquire?.()
  if (owner.acquire && !hold) throw routeStoppingError.create({ owner: owner.id }, { retryAfterSeconds: 5 })
  const stopWatching = watchForEnd(
    {
      clock: dependencies.clock,
      signals: [
        { signal: authentication?.ended, reason: 'credential_ended' },
        { signal: hold?.signal, reason: 'stopping' },
      ],
      expiresAt: route.streaming ? authentication?.principal.expiresAt : undefined,
    },
    (reason) => (exchange.closeEarly ? exchange.closeEarly(reason) : exchange.controller.abort(new GivenUpError(reason))),
  )
  try {
    // The credential may have ended by now, as one within the tolerated skew has for a stream: then nothing is begun.
    exchange.controller.signal.throwIfAborted()
    const request = toRouteRequest(call, authentication, values, read)
    const collaborators = { note: dependencies.noteOperation, logger: dependencies.logger }
    const respond = () => runNoted(route, request, collaborators, () => handle(entry, request, dependencies.redactor))
    const response = await answerOnce(respond, {
      store: idempotencyKey === undefined ? undefined : dependencies.idempotency(),
      key: idempotencyKey,
      scope: `${authentication?.principal.userId ?? `address:${exchange.client.address}`} ${route.operationId}`,
      digest: `${target.path}?${target.search} ${read.digest ?? ''}`,
      signal: exchange.controller.signal,
    })
    dependencies.answerCheck?.check(route, response)
    await sendRouteResponse(exchange, response, owner.id, dependencies.bodies.limits)
  } finally {
    stopWatching()
    hold?.release()
  }
}

/** Runs the handler. What a plugin throws may repeat what a vendor said: secrets are masked in it before it becomes an answer. */
async function handle({ route, owner }: TableEntry, request: RouteRequest, redactor: Redactor): Promise<RouteResponse> {
  try {
    return await route.handle(request)
  } catch (error) {
    throw owner.id === kernelOwnerId ? error : redactError(error, redactor)
  }
}

function headerText(exchange: Exchange, name: string): string | undefined {
  const value = exchange.request.headers[name]
  if (value === undefined) return undefined
  const text = Array.isArray(value) ? value.join(', ') : value
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) {
    throw invalidRequestError.create(
      { where: 'headers' },
      { problems: [{ path: `/${name}`, message: 'must be 1 to 255 visible ASCII characters' }] },
    )
  }
  return text
}

function toRouteRequest(call: Call, authentication: Authentication | undefined, values: RequestValues, read: ReadBody): RouteRequest {
  const { exchange, target, entry } = call
  const cookies = ownCookiesOf(exchange.request.headers.cookie, entry.owner.id)
  return {
    method: entry.route.method,
    path: target.path,
    params: values.params,
    query: values.query,
    headers: visibleHeaders(exchange.request, entry.owner.id),
    ...(Object.keys(cookies).length === 0 ? {} : { cookies }),
    body: read.body,
    ...(read.bodyStream ? { bodyStream: read.bodyStream } : {}),
    ...(authentication ? { principal: authentication.principal } : {}),
    requestId: exchange.requestId,
    address: exchange.client.address,
    loopback: exchange.client.loopback,
    signal: exchange.controller.signal,
  }
}
