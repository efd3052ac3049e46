import type { OwnerLease, RouteOwner } from '@agent-service/kernel-core/http'
import { invalidHandshakeError, routeStoppingError } from '@agent-service/kernel-core/http'
import {
  ClientDisconnectedError,
  type EndReason,
  handlerRequestOf,
  noteOpening,
  watchLifetime,
} from '@agent-service/kernel-core/http/request'
import { limitsOf } from '@agent-service/kernel-core/http/routing'
import type { Handshake, WebSocketServices, WebSockets } from '@agent-service/kernel-core/http/upgrade'
import type { WebSocketRequest } from '@agent-service/sdk/contracts/websocket-route'
import type { WebSocket } from 'ws'
import { endingOf } from './close-code.js'
import { type ConnectionCounts, createConnectionCounts } from './connection-counts.js'
import { serveConnection } from './serve-connection.js'

/** Makes the server of WebSocket routes and declares its limits. */
export function openWebSockets(services: WebSocketServices): WebSockets {
  const counts = createConnectionCounts(services.quotas)
  const withCounts = { ...services, counts }
  return { serve: (handshake) => serveWebSocket(withCounts, handshake), close: counts.close }
}

interface CountedServices extends WebSocketServices {
  readonly counts: ConnectionCounts
}

/**
 * Opens the WebSocket and serves it; resolves when the connection has ended. The connection counts
 * and the owner's lease are kept until the handler has ended, however long after the connection
 * that is. Errors before the upgrade are answered as problems.
 */
async function serveWebSocket(services: CountedServices, handshake: Handshake): Promise<void> {
  const { entry, exchange, authentication, webSocket } = handshake
  const limits = limitsOf(webSocket)
  const release = services.counts.take(entry.route.operationId, handshake.holder, limits)
  let lease: OwnerLease | undefined
  let handled: Promise<void> | undefined
  try {
    lease = leaseOf(entry.owner)
    exchange.controller.signal.throwIfAborted()
    const opening = { params: handshake.values.params, requestId: exchange.requestId, address: exchange.client.address }
    await noteOpening(entry.route, { ...opening, ...(authentication && { principal: authentication.principal }) }, services.audit)
    exchange.controller.signal.throwIfAborted()
    const socket = await takeOver(handshake, limits.maxMessageBytes)
    ;({ handled } = await run(services, handshake, { socket, lease }))
  } finally {
    void (handled ?? Promise.resolve()).then(() => {
      lease?.release()
      release()
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
  services: WebSocketServices,
  handshake: Handshake,
  { socket, lease }: { readonly socket: WebSocket; readonly lease: OwnerLease | undefined },
): Promise<{ readonly handled: Promise<void> }> {
  const { exchange, entry, authentication, webSocket } = handshake
  const { operationId } = entry.route
  const { clock, logger, metrics, limits } = services
  const startedAt = clock.monotonic()
  metrics.webSocketOpened(operationId)
  const connection = serveConnection(socket, {
    route: webSocket,
    request: requestOf(handshake, socket.protocol),
    limits: limitsOf(webSocket),
    host: limits,
    clock,
    logger,
    checkMessage: (message) => services.answerCheck?.checkMessage(webSocket, message),
    bytesRead: () => exchange.request.socket.bytesRead,
    onMessage: (direction) => metrics.webSocketMessage(operationId, direction),
  })
  const close = (reason: EndReason): void => connection.end(endingOf(reason))
  exchange.closeEarly = close
  const gone = (): void => connection.terminate()
  exchange.controller.signal.addEventListener('abort', gone, { once: true })
  const stopWatching = watchLifetime(
    {
      clock,
      credential: authentication?.ended,
      owner: lease?.signal,
      stopping: entry.owner.stopping,
      expiresAt: authentication?.principal.expiresAt,
    },
    close,
  )
  if (services.draining()) close('draining')
  const { code, reason } = await connection.closed
  stopWatching()
  exchange.controller.signal.removeEventListener('abort', gone)
  exchange.controller.abort(new ClientDisconnectedError('The WebSocket has ended.'))
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

function requestOf({ exchange, path, entry, authentication, values }: Handshake, subprotocol: string): WebSocketRequest {
  const request = handlerRequestOf(exchange, { path, values, authentication, ownerId: entry.owner.id })
  return Object.freeze<WebSocketRequest>({ ...request, ...(subprotocol !== '' && { subprotocol }) })
}

/**
 * Answers a checked handshake with 101 and takes over the connection. It is not compressed: each
 * connection would keep its windows in memory, and a small message could expand to a large one. The
 * socket is returned paused. The library is loaded with the first handshake, since many
 * installations never need it.
 */
async function takeOver({ exchange, transport, webSocket }: Handshake, maxMessageBytes: number): Promise<WebSocket> {
  const { subprotocols = [] } = webSocket
  const { WebSocketServer } = await import('ws')
  exchange.controller.signal.throwIfAborted()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handleProtocols: (offered) => subprotocols.find((name) => offered.has(name)) ?? false,
  })
  server.on('headers', (headers) => headers.push(`x-request-id: ${exchange.requestId}`))
  const { signal } = exchange.controller
  return new Promise((resolve, reject) => {
    // The library silently drops a connection that has ended in the meantime.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    server.once('wsClientError', (error) => reject(invalidHandshakeError.create({ reason: error.message }, { cause: error })))
    server.handleUpgrade(exchange.request, transport.socket, transport.head, (opened) => {
      exchange.response.statusCode = 101
      // Paused until there are listeners.
      opened.pause()
      resolve(opened)
    })
  })
}
