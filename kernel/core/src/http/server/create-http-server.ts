import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import Koa from 'koa'
import type { Redactor } from '../../log/redactor.js'
import type { QuotaRegistry } from '../../quotas/index.js'
import type { AnswerCheck } from '../answer/answer-check.js'
import { answerParserError } from '../answer/answer-parser-error.js'
import { answerProblem } from '../answer/answer-problem.js'
import type { Authenticator } from '../authenticator.js'
import { createJsonPool } from '../body/json-pool.js'
import { createApiDocument } from '../description/api-document.js'
import type { ApiTexts } from '../description/describe-api.js'
import { invalidHeadError } from '../errors.js'
import { defaultHttpLimits, type HttpLimits, type HttpSettings } from '../http-options.js'
import type { HttpServer } from '../http-server.js'
import type { IdempotencyStore } from '../idempotency/idempotency-store.js'
import { createAuthRateLimiter } from '../limits/auth-rate-limiter.js'
import { createRequestLimits } from '../limits/request-limits.js'
import type { MetricSource } from '../metric-source.js'
import { createHttpMetrics } from '../pages/http-metrics.js'
import { createKernelPages } from '../pages/kernel-pages.js'
import { createReadiness } from '../pages/readiness.js'
import { createStaticFiles } from '../pages/static-files.js'
import { createClientResolver } from '../request/client-address.js'
import { ClientDisconnectedError, type Exchange, ExchangeEndedError } from '../request/exchange.js'
import type { NoteOperation } from '../request/note-operation.js'
import { createOriginPolicy } from '../request/origin-policy.js'
import type { RouteAccess } from '../route-access.js'
import { kernelOwnerId } from '../route-table.js'
import type { DispatchTable } from '../routing/dispatch-table.js'
import { siteSecurityHeaders } from '../sites/site-headers.js'
import { ignoreUpgrade } from '../upgrade/ignore-upgrade.js'
import { asksForWebSocket } from '../websocket/check-handshake.js'
import { createConnectionCounts } from '../websocket/connection-counts.js'
import { createNodeServer, listen } from './node-server.js'
import { createOpenExchanges, HandshakeResponse, type OpenExchanges } from './open-exchanges.js'
import { addPipeline } from './pipeline.js'

/**
 * What the HTTP layer needs. Parts that open later than the listener are passed as functions,
 * called at each request.
 */
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
  readonly authenticator: () => Authenticator | undefined
  /** While it is `undefined`, only public routes can be called. */
  readonly routeAccess: () => RouteAccess | undefined
  /** Absent or undefined: `Idempotency-Key` is accepted and has no effect. */
  readonly idempotency?: () => IdempotencyStore | undefined
  /** Notes the operations of administrators in the audit log. Absent: nothing is noted. */
  readonly noteOperation?: NoteOperation
  /** Further metrics for `/metrics`. */
  readonly metricSources?: () => readonly MetricSource[]
  /** What the OpenAPI description says besides the routes. Called when it is made. */
  readonly describe?: () => Omit<ApiTexts, 'version'>
  readonly limits?: Partial<HttpLimits>
  /**
   * The port of an earlier listener of this process: reused if it is free and `server.port` is 0.
   */
  readonly portBefore?: number
  /** Only in tests: checks every response against what its route declares. */
  readonly answerCheck?: AnswerCheck
}

/**
 * Makes the HTTP server and adds its own routes (`/healthz`, `/readyz`, `/metrics`, `/api/version`,
 * `/api/openapi.json`) to the table.
 */
export function createHttpServer(dependencies: HttpServerDependencies): HttpServer {
  const { settings, table, logger, clock, version, quotas, routeAccess } = dependencies
  const limits: HttpLimits = { ...defaultHttpLimits, ...dependencies.limits }
  const ownUrls = [settings.base_url, settings.backend_url, settings.frontend_url]
  const headers = securityHeaders(settings)
  const readiness = createReadiness()
  const jsonPool = createJsonPool({ logger, maxThreads: limits.maxJsonThreads })
  const open = createOpenExchanges()
  const metrics = createHttpMetrics(open.counts, dependencies.metricSources)
  const shares = createRequestLimits({ quotas, limits, clock })
  const counts = createConnectionCounts(quotas)
  const describe = createApiDocument(table, () => ({ version, tags: {}, ...dependencies.describe?.() }))
  for (const route of createKernelPages({ version, readiness, metrics, describe, routeAccess })) table.add(route, { id: kernelOwnerId })

  const application = new Koa<Exchange>()
  application.on('error', (error: unknown) => logger.debug('A connection ended in an error.', { error }))
  addPipeline(application, {
    ...{ table, logger, clock, limits, headers, metrics, shares, counts, open, routeAccess },
    siteHeaders: siteSecurityHeaders(ownUrls),
    origins: createOriginPolicy({ corsOrigins: settings.cors_origins, ownUrls }),
    clientOf: createClientResolver(settings),
    authRateLimiter: createAuthRateLimiter({ clock }),
    authenticator: dependencies.authenticator,
    idempotency: dependencies.idempotency ?? (() => undefined),
    noteOperation: dependencies.noteOperation ?? (async () => undefined),
    redactor: dependencies.redactor,
    answerCheck: dependencies.answerCheck,
    bodies: { limits, ceilingBytes: settings.max_body_size_bytes, shares, jsonPool },
    maxBodyBytes: settings.max_body_size_bytes,
    pages: createStaticFiles({ folder: settings.static_dir, version, stalledMs: limits.stalledReaderMs }),
    startingStep: readiness.startingStep,
    draining: readiness.draining,
  })
  const handle = application.callback()
  /** The connections of handshakes, which Node does not close with its own. */
  const taken = new Set<Duplex>()

  const server: Server = createNodeServer(limits, {
    receive: (request, response) => void handle(request, response),
    upgrade(request, socket, head) {
      const match = table.sites.match(request.headers.host)
      if (asksForWebSocket(request) && (!match?.site || match.site.upgrade))
        void handle(request, new HandshakeResponse(request, { socket: untilClosed(taken, socket), head }))
      else ignoreUpgrade(server, request, socket, head)
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
          logger,
        )
      exchange.controller.abort(new ClientDisconnectedError('The request was cut off.', { cause: error }))
      socket.destroySoon()
      return undefined
    },
  })

  let closing: Promise<void> | undefined
  return {
    listen: () => listen(server, settings, { portBefore: dependencies.portBefore, logger }),
    ready: readiness.setReady,
    setStep: readiness.setStep,
    drain(limitMs) {
      readiness.setDraining()
      return drain(server, open, limitMs)
    },
    close() {
      readiness.setDraining()
      closing ??= close(server, open, taken).then(async () => {
        await jsonPool.close()
        shares.close()
        counts.close()
      })
      return closing
    },
  }
}

/** Keeps a connection in the set until it is closed. */
function untilClosed(taken: Set<Duplex>, socket: Duplex): Duplex {
  taken.add(socket)
  return socket.once('close', () => taken.delete(socket))
}

async function drain(server: Server, open: OpenExchanges, limitMs: number): Promise<void> {
  server.close()
  server.closeIdleConnections()
  open.closeConnections()
  open.closeEarly('draining')
  await open.waitUntilEmpty(limitMs)
  open.abortAll(new ExchangeEndedError('draining'))
}

async function close(server: Server, open: OpenExchanges, taken: ReadonlySet<Duplex>): Promise<void> {
  open.abortAll(new ExchangeEndedError('draining'))
  server.closeAllConnections()
  for (const socket of taken) socket.destroy()
  await new Promise<void>((resolve) => {
    if (server.listening) server.close(() => resolve())
    else resolve()
  })
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
