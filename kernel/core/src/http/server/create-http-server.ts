import type { Duplex } from 'node:stream'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import Koa from 'koa'
import type { AuditNotes } from '../../audit/index.js'
import type { Redactor } from '../../log/redactor.js'
import type { QuotaRegistry } from '../../quotas/index.js'
import type { AnswerCheck } from '../answer/answer-check.js'
import { answerParserError } from '../answer/answer-parser-error.js'
import { answerProblem } from '../answer/answer-problem.js'
import type { Authenticator } from '../authenticator.js'
import type { JsonPool } from '../body/read-body.js'
import { invalidHeadError } from '../errors.js'
import { defaultHttpLimits, type HttpLimits, type HttpSettings } from '../http-options.js'
import type { HttpServer } from '../http-server.js'
import type { Idempotency } from '../idempotency/index.js'
import { createAuthRateLimiter } from '../limits/auth-rate-limiter.js'
import { createIdleConnections, type IdleConnections } from '../limits/idle-connections.js'
import { createRequestLimits } from '../limits/request-limits.js'
import { type HttpMetrics, noMetrics } from '../pages/http-metrics.js'
import { createKernelPages } from '../pages/kernel-pages.js'
import { createReadiness } from '../pages/readiness.js'
import type { RouteAccess } from '../request/access.js'
import { basePathsOf } from '../request/base-path.js'
import { createClientResolver } from '../request/client-address.js'
import { ClientDisconnectedError, type Exchange, ExchangeEndedError } from '../request/exchange.js'
import { createOriginPolicy } from '../request/origin-policy.js'
import { kernelOwnerId } from '../route-table.js'
import type { DispatchTable } from '../routing/dispatch-table.js'
import { asksForWebSocket } from '../upgrade/handshake.js'
import type { WebSocketServices, WebSockets } from '../upgrade/web-sockets.js'
import { createFrontDoor, type FrontDoor } from './front-door.js'
import type { ConnectionHandlers } from './node-server.js'
import { createOpenExchanges, HandshakeResponse, type OpenExchanges } from './open-exchanges.js'
import { addPipeline } from './pipeline.js'
import type { SiteServices, Sites, WebPages } from './pipeline-state.js'
import { createProgramListener } from './program-listener.js'

/** What the HTTP layer needs. */
export interface HttpServerDependencies {
  readonly settings: HttpSettings
  readonly table: DispatchTable
  readonly logger: Logger
  /** Masks secrets in errors of plugins. */
  readonly redactor: Redactor
  readonly clock: Clock
  readonly version: string
  /** The limits of this layer are declared here and end when the server is closed. */
  readonly quotas: Pick<QuotaRegistry, 'declare'>
  readonly authenticator: Authenticator
  readonly routeAccess: RouteAccess
  /** Absent: `Idempotency-Key` is accepted and has no effect. */
  readonly idempotency?: Idempotency
  /** Gets the operations of administrators that note nothing themselves. Absent: nothing is noted. */
  readonly audit?: AuditNotes
  /** Makes what counts requests. Absent: nothing is counted. */
  readonly metrics?: (http: { readonly openCounts: OpenExchanges['counts']; readonly routeAccess: RouteAccess }) => HttpMetrics
  /** Absent: nothing is served at paths without a route. */
  readonly pages?: WebPages
  /** Makes the threads for large JSON bodies. Absent: they are parsed on the event loop. */
  readonly jsonPool?: (options: { readonly logger: Logger; readonly maxThreads: number }) => JsonPool
  /** Absent: no WebSocket is opened. */
  readonly webSockets?: (services: WebSocketServices) => WebSockets
  /** Absent: requests to claimed hosts are refused. */
  readonly sites?: (services: SiteServices) => Sites
  readonly limits?: Partial<HttpLimits>
  /** The listener of the address, which may outlive the server. Default: one of its own. */
  readonly door?: FrontDoor
  /** Connections wait at the door until the server is ready. Default: they are told that it starts. */
  readonly admitsWhenReady?: boolean
  /** Only in tests: checks every response against what its route declares. */
  readonly answerCheck?: AnswerCheck
}

/**
 * Makes the HTTP server and adds its own routes (`/healthz`, `/readyz`, `/api/version`) and those of
 * the metrics to the table.
 */
export function createHttpServer(dependencies: HttpServerDependencies): HttpServer {
  const { settings, table, logger, clock, version, quotas, routeAccess } = dependencies
  const limits: HttpLimits = { ...defaultHttpLimits, ...dependencies.limits }
  const ownUrls = [settings.base_url, settings.backend_url, settings.frontend_url]
  const headers = securityHeaders(settings)
  const readiness = createReadiness()
  const jsonPool = dependencies.jsonPool?.({ logger, maxThreads: limits.maxJsonThreads })
  const open = createOpenExchanges()
  const idle = createIdleConnections(limits)
  const metrics = dependencies.metrics?.({ openCounts: open.counts, routeAccess }) ?? noMetrics
  const shares = createRequestLimits({ quotas, limits, clock })
  for (const route of [...createKernelPages({ version, readiness }), ...metrics.routes]) table.add(route, { id: kernelOwnerId })

  const { draining } = readiness
  const { audit = { note: async () => undefined }, answerCheck } = dependencies
  const { max_body_size_bytes: maxBodyBytes } = settings
  const webSockets = dependencies.webSockets?.({ quotas, limits, clock, logger, audit, answerCheck, metrics, draining })
  const sites = dependencies.sites?.({ clock, limits, maxBodyBytes, ownUrls, draining })

  const door = dependencies.door ?? createFrontDoor()

  const application = new Koa<Exchange>()
  application.on('error', (error: unknown) => logger.debug('A connection ended in an error.', { error }))
  addPipeline(application, {
    ...{ table, logger, clock, limits, headers, metrics, shares, open, idle, routeAccess },
    basePaths: basePathsOf([...ownUrls, settings.external_url]),
    origins: createOriginPolicy({ corsOrigins: settings.cors_origins, ownUrls }),
    clientOf: createClientResolver(settings, (socket) => door.isOfProgram(socket)),
    authRateLimiter: createAuthRateLimiter({ clock }),
    authenticator: dependencies.authenticator,
    idempotency: dependencies.idempotency,
    redactor: dependencies.redactor,
    ...{ audit, answerCheck, sites, webSockets, draining },
    bodies: { limits, maxBytes: maxBodyBytes, shares, jsonPool },
    pages: dependencies.pages,
    startingStep: readiness.startingStep,
  })
  const handle = application.callback()
  /** The connections of handshakes, which Node does not close with its own. */
  const taken = new Set<Duplex>()

  const handlers: ConnectionHandlers = {
    receive: (request, response) => void handle(request, response),
    upgrade(request, socket, head, ignore) {
      const match = table.sites.match(request.headers.host)
      if (asksForWebSocket(request) && (!match?.site || match.site.upgrade))
        void handle(request, new HandshakeResponse(request, { socket: untilClosed(taken, socket), head }))
      else ignore()
    },
    fail(error, socket) {
      const [exchange, ...others] = open.on(socket)
      if (!exchange) return answerParserError(error, socket, headers)
      // The head was valid but the body is not. The request can still be answered if it is the only
      // one of the connection.
      if (others.length === 0)
        answerProblem(
          exchange,
          invalidHeadError.create({ reason: 'its body does not have the announced length or transfer coding' }, { cause: error }),
          { logger, table },
        )
      exchange.controller.abort(new ClientDisconnectedError('The request was cut off.', { cause: error }))
      socket.destroySoon()
      return undefined
    },
  }
  const programs = createProgramListener(door, { maxConnections: limits.maxConnections, logger })
  const { admitsWhenReady = false } = dependencies
  /** Another server takes over the door. */
  let isReplaced = false

  let closing: Promise<void> | undefined
  return {
    async listen() {
      const address = await door.open(settings, {
        limits,
        keepAliveSeconds: settings.keep_alive_timeout_secs,
        onError: (error) => logger.error('The HTTP listener reported an error.', { error }),
      })
      const forPrograms = await programs.listen().catch((error: unknown) => {
        door.shut()
        throw error
      })
      if (!admitsWhenReady) door.admit(handlers)
      return { ...address, forPrograms }
    },
    ready() {
      readiness.setReady()
      if (admitsWhenReady) door.admit(handlers)
    },
    setStep: readiness.setStep,
    openRequests: open.ordinary,
    whenQuiet: open.whenQuiet,
    drain(limitMs, { restarting = false } = {}) {
      readiness.setDraining()
      programs.close()
      // A door of its own ends with it.
      isReplaced = restarting && dependencies.door !== undefined
      if (isReplaced) door.hold()
      else endConnections(door, { open, idle })
      open.closeEarly(restarting ? 'restarting' : 'draining')
      return open.end(limitMs)
    },
    close() {
      readiness.setDraining()
      programs.close()
      closing ??= close().then(async () => {
        await jsonPool?.close()
        shares.close()
        webSockets?.close()
      })
      return closing
    },
  }

  async function close(): Promise<void> {
    open.abortAll(new ExchangeEndedError('draining'))
    for (const socket of taken) socket.destroy()
    programs.end()
    if (isReplaced) open.destroyAll()
    else await door.end()
  }
}

/** No connection is used for another request. */
function endConnections(door: FrontDoor, { open, idle }: { readonly open: OpenExchanges; readonly idle: IdleConnections }): void {
  door.shut()
  idle.close()
  open.closeConnections()
}

/** Keeps a connection in the set until it is closed. */
function untilClosed(taken: Set<Duplex>, socket: Duplex): Duplex {
  taken.add(socket)
  return socket.once('close', () => taken.delete(socket))
}

/** The headers of every response. If the public address has https, HSTS keeps clients on it. */
function securityHeaders({ backend_url: backend, base_url: base }: HttpSettings): Readonly<Record<string, string>> {
  const https = (backend ?? base)?.startsWith('https://') ?? false
  return {
    'content-security-policy':
      "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    ...(https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}
