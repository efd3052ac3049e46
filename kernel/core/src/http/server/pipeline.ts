import { invalidRequestError, notFoundError, type RouteRequest, type RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { redactError } from '../../log/redact-error.js'
import type { Redactor } from '../../log/redactor.js'
import { answerProblem, reasonOf } from '../answer/answer-problem.js'
import { nameIgnored } from '../answer/ignored-parameters.js'
import { sendBytes } from '../answer/send-bytes.js'
import { sendRouteResponse } from '../answer/send-route-response.js'
import { type BodyReaderOptions, type ReadBody, readBody } from '../body/read-body.js'
import {
  invalidHeadError,
  methodNotAllowedError,
  notReadyError,
  rateLimitedError,
  routeStoppingError,
  websocketUnavailableError,
} from '../errors.js'
import { createExpensiveWindows } from '../limits/rate-windows.js'
import { holderOfExchange } from '../limits/request-limits.js'
import { authorize } from '../request/access.js'
import { withoutBasePath, withRelativeLocation } from '../request/base-path.js'
import { corsHeaders, preflightHeaders } from '../request/cors-headers.js'
import { type CredentialFields, presignParameter, readCredentials, readPresigned } from '../request/credentials.js'
import { ClientDisconnectedError, type EndReason, type Exchange, ExchangeEndedError } from '../request/exchange.js'
import { handlerRequestOf } from '../request/handler-request.js'
import { isBelow, mendTarget, plainPath } from '../request/mend-target.js'
import { runNoted } from '../request/note-operation.js'
import { readValues, refuseProblems } from '../request/query-values.js'
import { parseQuery, parseRequestTarget, withSlashes } from '../request/request-target.js'
import { watchLifetime } from '../request/watch-lifetime.js'
import { kernelOwnerId, type TableEntry } from '../route-table.js'
import type { DispatchTable } from '../routing/dispatch-table.js'
import { answerOnSocket, checkHandshake, checkHandshakeOrigin } from '../upgrade/handshake.js'
import { openExchange } from './open-exchanges.js'
import type { Authorized, Matched, PipelineServices, Received, Targeted, Validated } from './pipeline-state.js'

/**
 * The middleware of every request, in this order. Requests to claimed hosts end at their sites,
 * handshakes at their WebSockets. Everything thrown after `settle` is answered as a problem. Only
 * middleware that waits for something is asynchronous: each further one costs every request.
 */
export function addPipeline(application: Koa<Exchange>, services: PipelineServices): void {
  application
    .use(openExchange(services))
    .use(setHeaders(services))
    .use(settle(services))
    .use(checkHost)
    .use(serveSites(services))
    .use(readTarget(services))
    .use(allowOrigins(services))
    .use(limitAccountRoutes(services))
    .use(matchRoute(services))
    .use(authenticate(services))
    .use(limitExpensiveRoutes(services))
    .use(readParameters)
    .use(serveWebSockets(services))
    .use(takeShare(services))
    .use(receiveBody(services))
    .use(holdOwner(services))
    .use(callHandler(services))
}

const setHeaders =
  ({ headers, sites }: PipelineServices): Middleware<Exchange> =>
  ({ state: exchange }, next) => {
    writeHeaders(exchange, exchange.site && sites ? sites.headers : headers)
    return next()
  }

function writeHeaders({ response, requestId }: Exchange, headers: Readonly<Record<string, string>>): void {
  response.setHeader('x-request-id', requestId)
  for (const name in headers) response.setHeader(name, headers[name] ?? '')
}

/** Answers everything that is thrown, then releases what the request holds. */
const settle =
  (services: PipelineServices): Middleware<Exchange> =>
  async ({ state: exchange }, next) => {
    try {
      await next()
    } catch (thrown) {
      await answerError(services, exchange, reasonOf(exchange, thrown))
    } finally {
      for (const release of exchange.releases.reverse()) release()
    }
  }

async function answerError(services: PipelineServices, exchange: Exchange, error: unknown): Promise<void> {
  const { logger, sites, metrics } = services
  const { response, transport, site, controller } = exchange
  const isOpen = response.headersSent || response.statusCode === 101
  if (error instanceof ClientDisconnectedError || isOpen) {
    // A response that has begun can only be cut off.
    if (!(error instanceof ClientDisconnectedError) && response.statusCode !== 101) {
      const fields = { error, request_id: exchange.requestId, operation: exchange.route?.operationId, site: site?.host }
      if (site) logger.warn('A response of a site was cut off.', fields)
      else logger.error('A response was cut off.', fields)
    }
    controller.abort(error)
    ;(transport?.socket ?? response).destroy()
    return
  }
  if (site && sites) {
    for (const name of response.getHeaderNames()) if (name !== 'connection') response.removeHeader(name)
    writeHeaders(exchange, sites.headers)
  }
  if (!transport) return answerProblem(exchange, error, services)
  await answerOnSocket(exchange, transport, () => answerProblem(exchange, error, services))
  if (!site) metrics.webSocketRefused(exchange.route?.operationId, response.statusCode)
}

/** @throws `invalid_request_head` unless the request names one host. */
const checkHost: Middleware<Exchange> = ({ state: { request } }, next) => {
  let hosts = 0
  for (let index = 0; index < request.rawHeaders.length; index += 2)
    if (request.rawHeaders[index]?.length === 4 && request.rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1'))
    throw invalidHeadError.create({ reason: 'it must have exactly one Host header' })
  return next()
}

const serveSites =
  ({ sites }: PipelineServices): Middleware<Exchange> =>
  ({ state: exchange }, next) => {
    const { site } = exchange
    if (!site) return next()
    if (exchange.client.program) throw notFoundError.create({ what: 'site' })
    if (!sites) throw routeStoppingError.create({ owner: site.ownerId }, { retryAfterSeconds: 5 })
    return sites.serve(exchange, site)
  }

/**
 * Reads the target. One below the path of a public address is taken without that path, unless a
 * route has it: proxies may remove the path or leave it. Everything afterwards sees only the target
 * that was taken, as if it had been sent.
 */
const readTarget =
  ({ table, basePaths }: PipelineServices): Middleware<Targeted> =>
  ({ state: exchange }, next) => {
    takeTarget(exchange, table)
    const inner = withoutBasePath(exchange.request.url ?? '', basePaths)
    if (inner !== undefined && !table.current().match(exchange.target.path)) {
      exchange.request.url = inner
      takeTarget(exchange, table)
    }
    return next()
  }

/** That of a lenient protocol is mended first, so that everything afterwards sees the mended one. */
function takeTarget(exchange: Targeted, table: DispatchTable): void {
  const prefixes = table.errorFormats.lenientPrefixes()
  const raw = exchange.request.url ?? ''
  const mended = mendTarget(raw, prefixes)
  exchange.target = { ...parseRequestTarget(mended), ...(mended !== raw && { mended: mended.split('?', 1)[0] ?? '' }) }
  exchange.lenient = prefixes.some((prefix) => isBelow(exchange.target.path, prefix))
}

/** Sets the CORS headers for a listed origin, and answers its preflights. */
const allowOrigins =
  ({ origins, table }: PipelineServices): Middleware<Targeted> =>
  ({ state: exchange }, next) => {
    const { request, response, method, transport } = exchange
    if (request.headers.origin === undefined || transport) return next()
    response.appendHeader('vary', 'Origin')
    const origin = origins.corsOrigin(request)
    if (origin === undefined) return next()
    const headers = corsHeaders(origin)
    for (const name in headers) response.setHeader(name, headers[name] ?? '')
    if (method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next()
    const isOpen = exchange.lenient || isMistaken(exchange.target.path, table)
    if (isOpen) response.appendHeader('vary', 'Access-Control-Request-Headers')
    return sendBytes(exchange, { status: 204, headers: preflightHeaders(request, { anyHeaders: isOpen }) })
  }

/** Whether clients of a protocol look for it at a path by mistake. Where a route is, it is none. */
const isMistaken = (path: string, table: DispatchTable): boolean =>
  table.errorFormats.findMistaken(plainPath(path)) !== undefined && table.current().match(path) === undefined

/**
 * Every request under /api/auth/ costs a token of the bucket, even one with an invalid path; only
 * OPTIONS is free. Programs of the service can call none of these routes, and all have one address:
 * what they send must not use up the tokens of people who come from there too.
 */
const limitAccountRoutes =
  ({ authRateLimiter }: PipelineServices): Middleware<Targeted> =>
  ({ state: { target, method, client } }, next) => {
    if (client.program || method === 'OPTIONS' || !target.path.startsWith('/api/auth/')) return next()
    const { allowed, retryAfterSeconds } = authRateLimiter.take(client.address)
    if (!allowed) throw rateLimitedError.create({ what: 'requests from this address' }, { retryAfterSeconds })
    return next()
  }

/**
 * Whether a path belongs to the API, where an unknown path is answered with a problem and never
 * with a page.
 */
const isApiPath = (path: string): boolean => /^\/(api|v1|\.well-known)(\/|$)/.test(path)

/**
 * Finds the route; answers OPTIONS, also of the whole server, by which load balancers ask whether it
 * lives; answers pages. @throws `invalid_path`, `not_found`, `method_not_allowed`, `not_ready`
 */
const matchRoute =
  (services: PipelineServices): Middleware<Matched> =>
  ({ state: exchange }, next) => {
    const { table, draining, origins } = services
    const { target, method, transport, request } = exchange
    if (method === 'OPTIONS' && request.url === '*') return sendBytes(exchange, { status: 204, headers: { allow: everyMethod } })
    if (target.problem) throw target.problem
    const match = table.current().match(target.path)
    if (target.encodedSlash && !match?.encodedSlashes) throw target.encodedSlash
    if (!match) return answerUnmatched(services, exchange)
    if (!transport && method === 'OPTIONS') return sendBytes(exchange, { status: 204, headers: match.options })
    const found = match.find(transport ? 'GET' : method)
    if (transport && !found?.entry.webSocket) throw websocketUnavailableError.create({})
    if (!found) throw methodNotAllowedError.create({ method, allowed: match.allowed })
    const { route } = found.entry
    exchange.route = route
    if (transport) checkHandshake(exchange.request)
    if (route.streaming && draining()) throw notReadyError.create({ step: 'draining' }, { retryAfterSeconds: 2 })
    if (transport) checkHandshakeOrigin(exchange.request, origins)
    exchange.entry = found.entry
    exchange.params = found.params
    return next()
  }

const everyMethod = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

async function answerUnmatched({ pages, startingStep }: PipelineServices, exchange: Targeted): Promise<void> {
  const { path } = exchange.target
  const isOfApi = exchange.transport !== undefined || exchange.client.program || isApiPath(path)
  if (!isOfApi && (await pages?.serve(exchange, path))) return
  const step = isOfApi ? startingStep() : undefined
  throw step === undefined ? notFoundError.create({ what: 'path' }) : notReadyError.create({ step }, { retryAfterSeconds: 1 })
}

const withoutFields: CredentialFields = Object.freeze({ headers: {}, headersDistinct: {} })

/** Authenticates and authorizes the caller. */
const authenticate =
  (services: PipelineServices): Middleware<Authorized> =>
  async ({ state: exchange }, next) => {
    const { request, entry, method, target, client } = exchange
    const { route } = entry
    const all = route.foreign ? [] : parseQuery(target.search)
    const parameter = route.streaming ? 'token' : route.presignable ? presignParameter : undefined
    const given = parameter === undefined ? undefined : all.find(([name]) => name === parameter)?.[1]
    const pairs = parameter === undefined ? all : all.filter(([name]) => name !== parameter)
    exchange.pairs = exchange.lenient ? knownPairs(exchange, pairs) : pairs
    // Foreign routes have credentials of their own; from a program the service reads its own all the same.
    const credentials = readCredentials(route.foreign && !client.program ? withoutFields : request, {
      queryToken: parameter === 'token' ? given : undefined,
      presigned: parameter === presignParameter && given !== undefined ? readPresigned(method, request.url ?? '') : undefined,
    })
    exchange.authentication = await authorize(exchange, route, credentials, services)
    exchange.holder = holderOfExchange(exchange, exchange.authentication)
    return next()
  }

/** The parameters that the route has. The others are named in the response, also if that is an error. */
function knownPairs({ entry, response }: Authorized, pairs: Authorized['pairs']): Authorized['pairs'] {
  const properties = entry.route.query?.properties ?? {}
  const isKnown = ([name]: readonly [string, string]): boolean => Object.hasOwn(properties, name)
  const names = pairs.filter((pair) => !isKnown(pair)).map(([name]) => name)
  if (names.length === 0) return pairs
  nameIgnored(response, names)
  return pairs.filter(isKnown)
}

/**
 * The coarse window over expensive routes. Users and networks have separate ones: requests from
 * many addresses never evict a user's window.
 */
const limitExpensiveRoutes = ({ limits }: PipelineServices): Middleware<Authorized> => {
  const users = createExpensiveWindows(limits.maxExpensivePerMinute)
  const networks = createExpensiveWindows(limits.maxExpensivePerMinute)
  return (context, next) => {
    const { entry, holder } = context.state
    if (entry.route.rateClass !== 'expensive') return next()
    return (holder.startsWith('user:') ? users : networks)(context, next)
  }
}

const readParameters: Middleware<Validated> = ({ state: exchange }, next) => {
  exchange.values = readValues(exchange.entry.route, exchange.params, exchange.pairs)
  return next()
}

const serveWebSockets =
  ({ webSockets }: PipelineServices): Middleware<Validated> =>
  ({ state: exchange }, next) => {
    const { transport, entry, target, holder, authentication, values } = exchange
    const { webSocket } = entry
    if (!transport || !webSocket) return next()
    if (!webSockets) throw websocketUnavailableError.create({})
    return webSockets.serve({ exchange, transport, path: target.path, holder, entry, webSocket, authentication, values })
  }

/**
 * Takes the request's shares. They are released once the client has read the whole response or
 * disconnected, since unread data takes memory. A client that reads nothing for `maxStalledMs`
 * is disconnected.
 */
const takeShare =
  ({ shares, limits }: PipelineServices): Middleware<Validated> =>
  async ({ state: exchange }, next) => {
    const { response, entry, authentication } = exchange
    const share = await shares.begin(exchange, entry, authentication)
    exchange.releases.push(() => {
      if (response.destroyed || response.writableFinished) return share.release()
      response.once('close', () => share.release())
      // Node restarts the timeout whenever the socket sends something, so a slow reader stays
      // connected.
      if (response.writableEnded) response.setTimeout(limits.maxStalledMs, () => response.destroy())
      return undefined
    })
    return next()
  }

const noBody: ReadBody = Object.freeze({ body: undefined, problems: [] })

const receiveBody =
  ({ bodies, clock }: PipelineServices): Middleware<Received> =>
  ({ state: exchange }, next) => {
    const { route } = exchange.entry
    exchange.idempotencyKey = route.idempotent ? idempotencyKeyOf(exchange) : undefined
    exchange.read = noBody
    return route.body ? receive(exchange, bodies, clock).then(next) : next()
  }

async function receive(exchange: Received, bodies: BodyReaderOptions, clock: Pick<Clock, 'after'>): Promise<void> {
  const { holder, idempotencyKey } = exchange
  exchange.read = await readBody(exchange, exchange.entry.route, bodies, { holder, wantDigest: idempotencyKey !== undefined })
  const { turn } = exchange.read
  if (turn) {
    // The answer may take minutes; what a handler does with the body comes first.
    const stop = clock.after(bodies.limits.largeBodyTurnMs, () => turn.release())
    exchange.releases.push(() => {
      void stop()
      turn.release()
    })
  }
  refuseProblems('body', exchange.read.problems, exchange.read.given)
}

function idempotencyKeyOf({ request }: Exchange): string | undefined {
  const name = 'idempotency-key'
  const value = request.headers[name]
  if (value === undefined) return undefined
  const text = Array.isArray(value) ? value.join(', ') : value
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text
  const problems = [{ path: `/${name}`, message: 'must be 1 to 255 visible ASCII characters' }]
  throw invalidRequestError.create({ where: 'headers' }, { problems })
}

/**
 * Holds the route's owner until the answer is written, and ends the exchange when the owner or the
 * credential ends.
 */
const holdOwner =
  ({ clock }: PipelineServices): Middleware<Received> =>
  ({ state: exchange }, next) => {
    const { entry, authentication, controller, releases } = exchange
    const { owner, route } = entry
    const lease = owner.acquire?.()
    if (lease) releases.push(() => lease.release())
    else if (owner.acquire) throw routeStoppingError.create({ owner: owner.id }, { retryAfterSeconds: 5 })
    const expiresAt = route.streaming ? authentication?.principal.expiresAt : undefined
    const end = (reason: EndReason): void =>
      exchange.closeEarly ? exchange.closeEarly(reason) : controller.abort(new ExchangeEndedError(reason))
    releases.push(watchLifetime({ clock, credential: authentication?.ended, owner: lease?.signal, expiresAt }, end))
    // The credential may have ended by now; a stream does not begin with one in the tolerated clock
    // skew.
    controller.signal.throwIfAborted()
    return next()
  }

const callHandler =
  (services: PipelineServices): Middleware<Received> =>
  async ({ state: exchange }) => {
    const { entry, target, read, idempotencyKey } = exchange
    const { route, owner } = entry
    const { idempotency } = services
    const request = routeRequestOf(exchange)
    const respond = () => runNoted(route, request, services, () => handle(entry, request, services.redactor))
    const response =
      idempotency === undefined || idempotencyKey === undefined
        ? await respond()
        : await idempotency.answerOnce(respond, {
            key: idempotencyKey,
            scope: `${callerOf(exchange)} ${route.operationId}`,
            digest: `${target.path}?${target.search} ${read.digest ?? ''}`,
            signal: exchange.controller.signal,
          })
    services.answerCheck?.check(route, response)
    const located = services.basePaths.length === 0 ? response : withRelativeLocation(response, target.path)
    await sendRouteResponse(exchange, located, owner.id, services)
  }

/** Whose keys those of a request are: a program has other ones than the person for whom it acts. */
function callerOf({ authentication, client }: Received): string {
  if (!authentication) return `address:${client.address}`
  const { userId, actor } = authentication.principal
  return actor ? `${userId} ${actor.kind} ${actor.id}` : userId
}

/**
 * Runs the handler. Errors of plugins may repeat text of other systems, so secrets in them are
 * masked before they are answered.
 */
async function handle({ route, owner }: TableEntry, request: RouteRequest, redactor: Redactor): Promise<RouteResponse> {
  try {
    return await route.handle(request)
  } catch (error) {
    throw owner.id === kernelOwnerId ? error : redactError(error, redactor)
  }
}

function routeRequestOf(exchange: Received): RouteRequest {
  const { entry, target, values, authentication, read, controller } = exchange
  const request: { -readonly [Member in keyof RouteRequest]: RouteRequest[Member] } = {
    method: entry.route.method,
    ...handlerRequestOf(exchange, {
      ...{ path: withSlashes(target.path), values, authentication, ownerId: entry.owner.id, foreign: entry.route.foreign === true },
    }),
    body: read.body,
    signal: controller.signal,
  }
  if (read.bodyStream) request.bodyStream = read.bodyStream
  return request
}
