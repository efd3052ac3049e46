import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Middleware } from 'koa'
import { v7 as uuidv7 } from 'uuid'
import type { IdleConnections } from '../limits/idle-connections.js'
import type { HttpMetrics } from '../pages/http-metrics.js'
import type { Client } from '../request/client-address.js'
import { ClientDisconnectedError, type EndReason, type Exchange, ExchangeEndedError, type Transport } from '../request/exchange.js'
import { originFormOf } from '../request/request-target.js'
import type { DispatchTable } from '../routing/dispatch-table.js'

export type OpenExchanges = ReturnType<typeof createOpenExchanges>

/** The exchanges in progress. */
export function createOpenExchanges() {
  const exchanges = new Set<Exchange>()
  const waiting = new Set<() => void>()
  const waitingForQuiet = new Set<() => void>()
  /** Those that end by themselves: no streams, WebSockets or tunnels. */
  const ordinary = (): number => [...exchanges].filter(({ route, transport }) => route?.streaming !== true && !transport).length
  return {
    add: (exchange: Exchange): void => void exchanges.add(exchange),
    delete(exchange: Exchange): void {
      if (!exchanges.delete(exchange)) return
      if (exchanges.size === 0) for (const done of waiting) done()
      if (waitingForQuiet.size > 0 && ordinary() === 0) for (const done of waitingForQuiet) done()
    },
    ordinary,
    /** Resolves at the first moment without an ordinary exchange, or when the signal is aborted. */
    whenQuiet: (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const done = (): void => {
          waitingForQuiet.delete(done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        if (signal.aborted || ordinary() === 0) return resolve()
        waitingForQuiet.add(done)
        signal.addEventListener('abort', done)
      }),
    /** The exchanges of a connection that are not finished, oldest first. */
    on: (socket: Duplex): readonly Exchange[] => [...exchanges].filter(({ request }) => request.socket === socket),
    /** Makes every response that has not begun the last one of its connection. */
    closeConnections(): void {
      for (const { response } of exchanges) if (!response.headersSent) response.setHeader('connection', 'close')
    },
    /** Asks event streams, WebSockets and tunnels of sites to end in good order. */
    closeEarly(reason: EndReason): void {
      for (const exchange of exchanges) if (!exchange.route || exchange.route.streaming) exchange.closeEarly?.(reason)
    },
    /** Resolves when no exchange is left; what is left after the limit is aborted. */
    async end(limitMs: number): Promise<void> {
      if (exchanges.size > 0)
        await new Promise<void>((resolve) => {
          waiting.add(resolve)
          setTimeout(resolve, limitMs).unref()
        })
      for (const { controller } of exchanges) controller.abort(new ExchangeEndedError('draining'))
    },
    /** Ends the connections of all exchanges. */
    destroyAll(): void {
      for (const { request } of exchanges) request.socket.destroy()
    },
    abortAll(reason: Error): void {
      for (const { controller } of exchanges) controller.abort(reason)
    },
    counts: (): { readonly requests: number; readonly streams: number } => ({
      requests: exchanges.size,
      streams: [...exchanges].filter(({ closeEarly, response }) => closeEarly && response.statusCode !== 101).length,
    }),
  }
}

/** The response to a handshake. It gets a socket only if the handshake is refused. */
export class HandshakeResponse extends ServerResponse {
  readonly transport: Transport

  constructor(request: IncomingMessage, transport: Transport) {
    super(request)
    this.transport = transport
  }
}

/** What {@link openExchange} needs. */
export interface ExchangeServices {
  readonly logger: Logger
  readonly clock: Clock
  readonly table: Pick<DispatchTable, 'sites'>
  readonly open: OpenExchanges
  readonly idle: IdleConnections
  readonly metrics: HttpMetrics
  readonly clientOf: (request: IncomingMessage) => Client
  readonly draining: () => boolean
}

/** Opens an exchange as the state of the context. At its end it is logged and counted. */
export const openExchange =
  (services: ExchangeServices): Middleware<Exchange> =>
  (context, next) => {
    const { req: request, res: response } = context
    const { open, idle, clock, draining } = services
    request.url = originFormOf(request)
    const transport = response instanceof HandshakeResponse ? response.transport : undefined
    const exchange: Exchange = {
      request,
      response,
      requestId: requestIdOf(request.headers['x-request-id']),
      method: request.method ?? 'GET',
      client: services.clientOf(request),
      controller: new AbortController(),
      releases: [],
      route: undefined,
      site: services.table.sites.match(request.headers.host),
      transport,
      closeEarly: undefined,
    }
    context.state = exchange
    context.respond = false
    open.add(exchange)
    const startedAt = clock.monotonic()
    const over = (): void => closeExchange(exchange, services, clock.monotonic() - startedAt)
    watchConnection(exchange, services.logger, over)
    idle.begin(request.socket)
    // A WebSocket never waits for a next request, though its connection may have done so before.
    if (transport) return next().finally(over)
    response.once('close', () => idle.rest(request.socket, exchange.client))
    if (draining()) response.setHeader('connection', 'close')
    return next()
  }

const acceptable = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/

/**
 * The id of a request: `X-Request-Id` if it has 8 to 64 letters, digits or `._-`, otherwise a new
 * one.
 */
const requestIdOf = (header: string | readonly string[] | undefined): string =>
  typeof header === 'string' && acceptable.test(header) ? header : uuidv7()

/** `over` is called at the end of an ordinary response; a handshake ends with its middleware. */
function watchConnection({ request, response, transport, controller, requestId }: Exchange, logger: Logger, over: () => void): void {
  const broke = (error: Error): void => logger.debug('A connection broke.', { error, request_id: requestId })
  const disconnected = (): void => controller.abort(new ClientDisconnectedError('The client disconnected.'))
  if (transport) {
    transport.socket.on('error', broke).once('close', disconnected)
    return
  }
  request.on('error', broke)
  response.on('error', broke).once('close', () => {
    if (!response.writableFinished) disconnected()
    over()
  })
}

function closeExchange(exchange: Exchange, { open, logger, metrics }: ExchangeServices, durationMs: number): void {
  open.delete(exchange)
  logExchange(logger, exchange, durationMs)
  metrics.observe(exchange, durationMs)
}

/** Routes that are called all the time: their requests are only logged at level `debug`. */
const quiet = new Set(['getLiveness', 'getReadiness', 'getMetrics'])

/** Logs one line for an answered request: no query and no parameter of a public path (secrets). */
function logExchange(logger: Logger, exchange: Exchange, durationMs: number): void {
  const { request, response, route, site, target } = exchange
  const [path = ''] = route?.auth === 'public' ? [route.path] : (target?.mended ?? request.url ?? '').split('?', 1)
  const fields: Record<string, unknown> = {
    request_id: exchange.requestId,
    method: exchange.method,
    path: path.slice(0, 500),
    status: response.statusCode,
    duration_ms: Math.round(durationMs * 10) / 10,
    address: exchange.client.address,
  }
  if (route) fields['operation'] = route.operationId
  if (site) fields['site'] = site.host
  if (!response.writableFinished && response.statusCode !== 101) fields['finished'] = false
  if (route && quiet.has(route.operationId)) logger.debug('request', fields)
  else logger.info('request', fields)
}
