import type { HttpLimits } from '@agent-service/kernel-core/http'
import type { EffectiveLimits } from '@agent-service/kernel-core/http/routing'
import type { Logger } from '@agent-service/sdk'
import type { WebSocketConnection, WebSocketMessage, WebSocketRequest, WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { RawData, WebSocket } from 'ws'
import { checkEnding, type Ending, endingOfError, endings } from './close-code.js'
import { createInboundMessages, type InboundMessages } from './inbound-messages.js'
import { createOutboundMessages, type OutboundMessages } from './outbound-messages.js'
import { readMessage } from './read-message.js'

/** The numbers of messages of a connection. */
export interface ConnectionTraffic {
  received: number
  sent: number
}

/** What {@link serveConnection} needs. */
export interface ConnectionOptions {
  readonly route: WebSocketRoute
  readonly request: WebSocketRequest
  readonly limits: EffectiveLimits
  readonly host: Pick<HttpLimits, 'maxStalledMs' | 'webSocketPingMs' | 'webSocketCloseMs' | 'maxJsonDepth'>
  readonly clock: Clock
  readonly logger: Logger
  /** @throws `answer_mismatch` in tests if the route does not declare the message */
  readonly checkMessage: (message: WebSocketMessage) => void
  /** How many bytes were received so far. */
  readonly bytesRead: () => number
  readonly onMessage: (direction: 'in' | 'out') => void
}

/** An open connection with its handler. */
export interface ServedConnection {
  /**
   * Sends a close frame, and destroys the socket if the client does not answer it in time. The
   * first ending counts.
   */
  end(ending: Ending): void
  /** Destroys the socket. */
  terminate(): void
  /** Resolves with the ending when the socket is closed. */
  readonly closed: Promise<Ending>
  /** Resolves when the handler has ended. Never rejects. */
  readonly handled: Promise<void>
  readonly traffic: Readonly<ConnectionTraffic>
}

interface Session extends ConnectionOptions {
  readonly socket: WebSocket
  readonly controller: AbortController
  readonly traffic: ConnectionTraffic
  readonly closed: Promise<Ending>
  ending: Ending | undefined
  inbound: InboundMessages
  outbound: OutboundMessages
  idle: NodeJS.Timeout
}

/** Runs the handler of a route on an open, paused socket and enforces its limits. */
export function serveConnection(socket: WebSocket, options: ConnectionOptions): ServedConnection {
  const session = openSession(socket, options)
  const stopPinging = keepAlive(socket, {
    pingMs: options.host.webSocketPingMs,
    bytesRead: options.bytesRead,
    lost: () => socket.terminate(),
  })
  const mayReceive = createMessageRate(options.clock, options.limits.maxMessagesPerSecond)
  for (const event of ['ping', 'pong'] as const) {
    socket.on(event, () => {
      if (!mayReceive()) end(session, endings.tooFast)
    })
  }
  socket.on('message', (data, isBinary) => {
    if (session.ending) return
    if (mayReceive()) receive(session, data, isBinary)
    else end(session, endings.tooFast)
  })
  socket.on('error', (error) => options.logger.debug('A WebSocket failed.', { error, request_id: options.request.requestId }))
  void session.closed.then(() => stopPinging())
  const handled = runHandler(session)
  if (socket.isPaused) socket.resume()
  return {
    end: (ending) => end(session, ending),
    terminate: () => socket.terminate(),
    closed: session.closed,
    handled,
    traffic: session.traffic,
  }
}

function openSession(socket: WebSocket, options: ConnectionOptions): Session {
  const controller = new AbortController()
  const { limits, host, route } = options
  const session: Session = {
    ...options,
    socket,
    controller,
    traffic: { received: 0, sent: 0 },
    ending: undefined,
    inbound: createInboundMessages(socket),
    outbound: createOutboundMessages(socket, {
      messages: route.messages,
      maxOutstandingBytes: limits.maxOutstandingBytes,
      maxStalledMs: host.maxStalledMs,
      ending: () => session.ending,
      sent: () => {
        session.traffic.sent += 1
        session.idle.refresh()
        options.onMessage('out')
      },
      slow: () => end(session, endings.slowReader),
    }),
    idle: setTimeout(() => end(session, endings.idle), limits.maxIdleSeconds * 1000).unref(),
    closed: new Promise((resolve) => {
      socket.once('close', (code: number, reason: Buffer) => {
        session.ending ??= { code, reason: reason.toString('utf8') }
        finish(session, session.ending)
        resolve(session.ending)
      })
    }),
  }
  return session
}

function receive(session: Session, data: RawData, isBinary: boolean): void {
  const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)])
  session.traffic.received += 1
  session.idle.refresh()
  session.onMessage('in')
  const read = readMessage(bytes, isBinary, session.route.messages, session.host.maxJsonDepth)
  if ('ending' in read) end(session, read.ending)
  else session.inbound.push(read.message)
}

/**
 * Ends the messages in both directions. Further input of the client is discarded, so that its close
 * frame is found.
 */
function finish(session: Session, { code, reason }: Ending): void {
  clearTimeout(session.idle)
  session.outbound.stop()
  session.inbound.end()
  session.controller.abort(new DOMException(`The WebSocket has ended (${code}${reason === '' ? '' : `, ${reason}`}).`, 'AbortError'))
}

function end(session: Session, ending: Ending): void {
  if (session.ending) return
  session.ending = ending
  finish(session, ending)
  const { socket } = session
  if (socket.isPaused) socket.resume()
  socket.close(ending.code, ending.reason)
  const timer = setTimeout(() => socket.terminate(), session.host.webSocketCloseMs)
  timer.unref()
  void session.closed.then(() => clearTimeout(timer))
}

async function runHandler(session: Session): Promise<void> {
  const { route, request, logger } = session
  try {
    await route.handle(connectionOf(session))
    end(session, endings.done)
  } catch (error) {
    // A handler that was aborted may throw any error.
    if (session.ending) return
    const ending = endingOfError(error)
    if (ending === endings.failed)
      logger.error('The handler of a WebSocket failed.', { error, request_id: request.requestId, operation: route.operationId })
    end(session, ending)
  }
}

function connectionOf(session: Session): WebSocketConnection {
  const { request, inbound, outbound, controller } = session
  return Object.freeze<WebSocketConnection>({
    request,
    messages: inbound.messages,
    async send(message: WebSocketMessage) {
      session.checkMessage(message)
      await outbound.send(message)
    },
    async close(code = 1000, reason = '') {
      checkEnding({ code, reason })
      end(session, { code, reason })
      await session.closed
    },
    signal: controller.signal,
  })
}

/**
 * Pings every `pingMs`, which also keeps proxies from closing the connection, and calls `lost` if
 * no byte was received since the last ping. Any byte counts, since the pong may come after a large
 * message. A paused socket, whose handler reads slowly, is never lost. The returned function stops
 * the pings.
 */
function keepAlive(
  socket: WebSocket,
  options: { readonly pingMs: number; readonly bytesRead: () => number; readonly lost: () => void },
): () => void {
  let before = -1
  const timer = setInterval(() => {
    const now = options.bytesRead()
    if (now === before && !socket.isPaused) return options.lost()
    before = now
    if (socket.readyState === socket.OPEN) socket.ping()
  }, options.pingMs)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Makes a bucket that holds the messages of one second and refills at that rate. The returned
 * function takes one message.
 */
function createMessageRate(clock: Clock, perSecond: number): () => boolean {
  let tokens = perSecond
  let filledAt = clock.monotonic()
  return () => {
    const now = clock.monotonic()
    tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1000) * perSecond)
    filledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
