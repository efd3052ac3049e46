import type { Duplex } from 'node:stream'
import type { Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { WebSocketRequest, WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { WebSocket } from 'ws'
import type { AnswerCheck } from '../answer/answer-check.js'
import type { Authentication, Authenticator } from '../authenticator.js'
import { notReadyError, routeStoppingError, websocketUnavailableError } from '../errors.js'
import type { HttpLimits } from '../http-options.js'
import type { OriginPolicy } from '../limits/origin-policy.js'
import { holderOfExchange } from '../limits/request-limits.js'
import type { HttpMetrics } from '../pages/http-metrics.js'
import { authorize } from '../request/access.js'
import { readCredentials } from '../request/credentials.js'
import { ClientGoneError, type EndReason, type Exchange } from '../request/exchange.js'
import { type NoteOperation, noteOpening } from '../request/note-operation.js'
import { ownCookiesOf } from '../request/own-cookies.js'
import { type RequestValues, readValues } from '../request/read-values.js'
import { parseQuery, type RequestTarget } from '../request/request-target.js'
import { visibleHeaders } from '../request/visible-headers.js'
import { watchForEnd } from '../request/watch-for-end.js'
import type { RouteAccess } from '../route-access.js'
import type { OwnerLease, RouteOwner } from '../route-table.js'
import type { TableEntry } from '../routing/compiled-routes.js'
import type { DispatchTable } from '../routing/dispatch-table.js'
import { limitsOf } from '../routing/websocket-limits.js'
import { checkHandshake, checkHandshakeOrigin } from './check-handshake.js'
import { endingOf } from './close-code.js'
import type { ConnectionCounts } from './connection-counts.js'
import { serveConnection } from './serve-connection.js'
import { takeOver } from './take-over.js'

/** What WebSockets need. What opens later than the listener is asked for at each handshake. */
export interface WebSocketGatewayOptions {
  readonly table: DispatchTable
  readonly origins: OriginPolicy
  readonly authenticator: () => Authenticator | undefined
  readonly routeAccess: () => RouteAccess | undefined
  readonly counts: ConnectionCounts
  readonly limits: HttpLimits
  readonly clock: Clock
  readonly logger: Logger
  /** Notes what administrators open. */
  readonly noteOperation: NoteOperation
  /** Given in tests: every message that is sent is held against what its route declares. */
  readonly answerCheck: AnswerCheck | undefined
  readonly metrics: Pick<HttpMetrics, 'webSocketOpened' | 'webSocketClosed' | 'webSocketMessage' | 'webSocketRefused'>
  readonly startingStep: () => string | undefined
  readonly draining: () => boolean
}

/** Takes handshakes to the routes that answer them. */
export interface WebSocketGateway {
  /** Resolves when the connection has ended. Throws, before the upgrade, what is to be answered as a problem. */
  open(exchange: Exchange, target: RequestTarget, socket: Duplex, head: Buffer): Promise<void>
  /** Counts a handshake that was refused. */
  refused(exchange: Exchange): void
}

/** Makes the gateway. */
export function createWebSocketGateway(options: WebSocketGatewayOptions): WebSocketGateway {
  return {
    open: (exchange, target, socket, head) => open(options, exchange, target, { socket, head }),
    refused: (exchange) => options.metrics.webSocketRefused(exchange.route?.operationId, exchange.response.statusCode),
  }
}

interface Found {
  readonly entry: TableEntry & { readonly webSocket: WebSocketRoute }
  readonly params: Readonly<Record<string, string>>
}

interface Transport {
  readonly socket: Duplex
  readonly head: Buffer
}

async function open(options: WebSocketGatewayOptions, exchange: Exchange, target: RequestTarget, transport: Transport): Promise<void> {
  const { entry, params } = find(options, target.path)
  exchange.route = entry.route
  checkHandshake(exchange.request)
  if (options.draining()) throw notReadyError.create({ step: 'draining' }, { retryAfterSeconds: 2 })
  checkHandshakeOrigin(exchange.request, options.origins)
  const pairs = parseQuery(target.search)
  const queryToken = pairs.find(([name]) => name === 'token')?.[1]
  const credentials = readCredentials(exchange.request.headers, { queryToken })
  const authentication = await authorize(exchange, entry.route, credentials, {
    authenticator: options.authenticator(),
    routeAccess: options.routeAccess(),
    origins: options.origins,
  })
  try {
    const values = readValues(
      entry.route,
      params,
      pairs.filter(([name]) => name !== 'token'),
    )
    await serve(options, { exchange, target, entry, authentication, values, transport })
  } finally {
    authentication?.release()
  }
}

function find({ table, startingStep }: WebSocketGatewayOptions, path: string): Found {
  const match = table.current().match(path)
  if (!match) {
    const step = startingStep()
    if (step !== undefined) throw notReadyError.create({ step }, { retryAfterSeconds: 1 })
    throw notFoundError.create({ what: 'path' })
  }
  const found = match.find('GET')
  const webSocket = found?.entry.webSocket
  if (!found || !webSocket) throw websocketUnavailableError.create({})
  return { entry: { ...found.entry, webSocket }, params: found.params }
}

interface Call {
  readonly exchange: Exchange
  readonly target: RequestTarget
  readonly entry: Found['entry']
  readonly authentication: Authentication | undefined
  readonly values: RequestValues
  readonly transport: Transport
}

/** Takes a place and the owner's lease, both of which are held until the handler has ended, however long after the connection that is. */
async function serve(options: WebSocketGatewayOptions, call: Call): Promise<void> {
  const { entry, exchange, authentication } = call
  const holder = holderOfExchange(exchange, authentication)
  const giveBack = options.counts.take(entry.route.operationId, holder, limitsOf(entry.webSocket))
  let lease: OwnerLease | undefined
  let handled: Promise<void> | undefined
  try {
    lease = leaseOf(entry.owner)
    exchange.controller.signal.throwIfAborted()
    const opening = { params: call.values.params, requestId: exchange.requestId, address: exchange.client.address }
    await noteOpening(entry.route, { ...opening, ...(authentication && { principal: authentication.principal }) }, options.noteOperation)
    exchange.controller.signal.throwIfAborted()
    const socket = await takeOver(exchange, call.transport, entry.webSocket, limitsOf(entry.webSocket).maxMessageBytes)
    ;({ handled } = await run(options, call, { socket, lease }))
  } finally {
    void (handled ?? Promise.resolve()).then(() => {
      lease?.release()
      giveBack()
    })
  }
}

function leaseOf(owner: RouteOwner): OwnerLease | undefined {
  const lease = owner.stopping?.aborted ? undefined : owner.acquire?.()
  if (owner.stopping?.aborted || (owner.acquire && !lease)) throw routeStoppingError.create({ owner: owner.id }, { retryAfterSeconds: 5 })
  return lease
}

/** Serves an open socket until it is closed. `handled` resolves when the handler has ended. */
async function run(
  options: WebSocketGatewayOptions,
  call: Call,
  { socket, lease }: { readonly socket: WebSocket; readonly lease: OwnerLease | undefined },
): Promise<{ readonly handled: Promise<void> }> {
  const { exchange, entry, authentication } = call
  const { operationId } = entry.route
  const { clock, logger, metrics, limits } = options
  const startedAt = clock.monotonic()
  metrics.webSocketOpened(operationId)
  const connection = serveConnection(socket, {
    route: entry.webSocket,
    request: requestOf(call, socket.protocol),
    limits: limitsOf(entry.webSocket),
    host: limits,
    clock,
    logger,
    checkMessage: (message) => options.answerCheck?.checkMessage(entry.webSocket, message),
    bytesRead: () => exchange.request.socket.bytesRead,
    onMessage: (direction) => metrics.webSocketMessage(operationId, direction),
  })
  const close = (reason: EndReason): void => connection.end(endingOf(reason))
  exchange.closeEarly = close
  const gone = (): void => connection.terminate()
  exchange.controller.signal.addEventListener('abort', gone, { once: true })
  const stopWatching = watchForEnd(
    {
      clock,
      signals: [
        { signal: authentication?.ended, reason: 'credential_ended' },
        { signal: entry.owner.stopping, reason: 'stopping' },
        { signal: lease?.signal, reason: 'stopping' },
      ],
      expiresAt: authentication?.principal.expiresAt,
    },
    close,
  )
  if (options.draining()) close('draining')
  const { code, reason } = await connection.closed
  stopWatching()
  exchange.controller.signal.removeEventListener('abort', gone)
  exchange.controller.abort(new ClientGoneError('The WebSocket has ended.'))
  metrics.webSocketClosed(operationId, code)
  logger.info('websocket', {
    request_id: exchange.requestId,
    operation: operationId,
    ...{ code, reason },
    duration_ms: Math.round(clock.monotonic() - startedAt),
    messages_in: connection.traffic.received,
    messages_out: connection.traffic.sent,
  })
  return { handled: connection.handled }
}

function requestOf({ exchange, target, entry, authentication, values }: Call, subprotocol: string): WebSocketRequest {
  const cookies = ownCookiesOf(exchange.request.headers.cookie, entry.owner.id)
  return Object.freeze<WebSocketRequest>({
    path: target.path,
    params: values.params,
    query: values.query,
    headers: visibleHeaders(exchange.request, entry.owner.id),
    ...(Object.keys(cookies).length === 0 ? {} : { cookies }),
    ...(subprotocol === '' ? {} : { subprotocol }),
    ...(authentication ? { principal: authentication.principal } : {}),
    requestId: exchange.requestId,
    address: exchange.client.address,
    loopback: exchange.client.loopback,
  })
}
