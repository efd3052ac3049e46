import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import Koa, { type Context } from 'koa'
import type { ServerSection } from '../config/sections/server.js'
import type { Redactor } from '../log/redactor.js'
import type { QuotaRegistry } from '../quotas/index.js'
import type { AnswerCheck } from './answer/answer-check.js'
import { answerParserError } from './answer/answer-parser-error.js'
import { securityHeaders } from './answer/security-headers.js'
import type { Authenticator } from './authenticator.js'
import { createJsonPool } from './body/json-pool.js'
import { createDispatcher } from './dispatcher.js'
import { invalidHeadError } from './errors.js'
import { defaultHttpLimits, type HttpLimits } from './http-options.js'
import type { HttpServer } from './http-server.js'
import type { IdempotencyStore } from './idempotency/idempotency-store.js'
import { createAuthRateLimiter } from './limits/auth-rate-limiter.js'
import { createExpensiveRateLimit } from './limits/expensive-rate-limit.js'
import { createOriginPolicy, type OriginPolicy } from './limits/origin-policy.js'
import { createRequestLimits } from './limits/request-limits.js'
import type { MetricSource } from './metric-source.js'
import { createNodeServer, listen } from './node-server.js'
import { createHttpMetrics, type HttpMetrics } from './pages/http-metrics.js'
import { createKernelPages } from './pages/kernel-pages.js'
import { createReadiness, type Readiness } from './pages/readiness.js'
import { createStaticFiles } from './pages/static-files.js'
import { createClientResolver } from './request/client-address.js'
import { ClientGoneError, type Exchange, GivenUpError } from './request/exchange.js'
import type { NoteOperation } from './request/note-operation.js'
import { createOpenExchanges } from './request/open-exchanges.js'
import { answerProblem, createPipeline } from './request/pipeline.js'
import { requestIdOf } from './request/request-id.js'
import type { RouteAccess } from './route-access.js'
import { kernelOwnerId } from './route-table.js'
import type { DispatchTable } from './routing/dispatch-table.js'
import { sendSiteResponse, serveSite } from './sites/serve-site.js'
import { siteSecurityHeaders } from './sites/site-headers.js'
import { createSiteTunnels } from './sites/site-tunnel.js'
import { answerOnSocket } from './upgrade/answer-on-socket.js'
import { createUpgradeReceiver, type UpgradeReceiver, type UpgradeReceiverOptions } from './upgrade/create-upgrade-receiver.js'
import { type ConnectionCounts, createConnectionCounts } from './websocket/connection-counts.js'
import { createWebSocketGateway } from './websocket/websocket-gateway.js'

/** What the HTTP layer needs. What opens later than the listener is asked for at each request. */
export interface HttpServerDependencies {
  readonly settings: ServerSection
  readonly table: DispatchTable
  readonly logger: Logger
  /** Masks what plugins' errors tell. */
  readonly redactor: Redactor
  readonly clock: Clock
  readonly version: string
  /** Where the limits of this layer are declared; they end when the server is closed. */
  readonly quotas: Pick<QuotaRegistry, 'declare'>
  readonly authenticator: () => Authenticator | undefined
  /** Until it is there, nobody may call anything but what is public. */
  readonly routeAccess: () => RouteAccess | undefined
  /** Absent or undefined: `Idempotency-Key` is accepted and has no effect. */
  readonly idempotency?: () => IdempotencyStore | undefined
  /** Notes what administrators do. Absent: nothing is noted. */
  readonly noteOperation?: NoteOperation
  /** What other parts of the kernel count, for `/metrics`. */
  readonly metricSources?: () => readonly MetricSource[]
  readonly limits?: Partial<HttpLimits>
  /** Where an earlier listener of this process was: taken again, if it is free, while `server.port` is 0. */
  readonly portBefore?: number
  /** Given in tests: every answer is held against what its route declares. */
  readonly answerCheck?: AnswerCheck
}

/** Makes the HTTP server and adds its own routes (`/healthz`, `/readyz`, `/metrics`, `/api/version`, `/api/openapi.json`) to the table. */
export function createHttpServer(dependencies: HttpServerDependencies): HttpServer {
  const { settings, table, logger, clock, version } = dependencies
  const limits: HttpLimits = { ...defaultHttpLimits, ...dependencies.limits }
  const readiness = createReadiness()
  const jsonPool = createJsonPool({ logger, maxThreads: limits.maxJsonThreads })
  const open = createOpenExchanges()
  const metrics = createHttpMetrics(open.counts, dependencies.metricSources)
  const origins = createOriginPolicy({
    corsOrigins: settings.cors_origins,
    ownUrls: [settings.base_url, settings.backend_url, settings.frontend_url],
  })
  const headers = securityHeaders({ publicUrl: settings.backend_url ?? settings.base_url })
  const clientOf = createClientResolver(settings)
  const staticFiles = createStaticFiles({ folder: settings.static_dir, version, logger, stalledMs: limits.stalledReaderMs })
  for (const route of createKernelPages({ version, readiness, metrics, table, routeAccess: dependencies.routeAccess }))
    table.add(route, { id: kernelOwnerId })

  const shares = createRequestLimits({ quotas: dependencies.quotas, limits, clock })
  const counts = createConnectionCounts(dependencies.quotas)
  const dispatch = createDispatcher({
    table,
    bodies: { limits, ceilingBytes: settings.max_body_size_bytes, shares, jsonPool },
    shares,
    origins,
    limitExpensive: createExpensiveRateLimit(limits.expensivePerMinute),
    authenticator: dependencies.authenticator,
    routeAccess: dependencies.routeAccess,
    idempotency: dependencies.idempotency ?? (() => undefined),
    clock,
    logger,
    redactor: dependencies.redactor,
    noteOperation: dependencies.noteOperation ?? notNoted,
    startingStep: readiness.startingStep,
    draining: readiness.draining,
    answerCheck: dependencies.answerCheck,
    servePage: staticFiles.serve,
  })

  const finished = (exchange: Exchange, durationMs: number): void => {
    open.delete(exchange)
    metrics.observe(exchange, durationMs)
  }
  const authRateLimiter = createAuthRateLimiter({ clock })
  const siteHeaders = siteSecurityHeaders([settings.base_url, settings.backend_url, settings.frontend_url])
  const siteServer = { logger, clock, limits, ceilingBytes: settings.max_body_size_bytes, headers: siteHeaders, finished }
  const upgrades = createUpgrades(dependencies, {
    server: () => server,
    ...{ limits, headers, siteHeaders, authRateLimiter, open, makeExchange, origins, metrics, readiness, counts },
  })

  const exchanges = new WeakMap<IncomingMessage, Exchange>()
  const application = new Koa()
  application.on('error', (error: unknown) => logger.debug('A connection ended in an error.', { error }))
  application.use(
    createPipeline({
      logger,
      clock,
      headers,
      origins,
      authRateLimiter,
      dispatch,
      exchangeOf: (context: Context) => exchanges.get(context.req) ?? makeExchange(context.req, context.res),
      finished,
    }),
  )
  const handle = application.callback()

  function makeExchange(request: IncomingMessage, response: ServerResponse): Exchange {
    const exchange: Exchange = {
      request,
      response,
      requestId: requestIdOf(request.headers['x-request-id']),
      method: request.method ?? 'GET',
      client: clientOf(request),
      controller: new AbortController(),
      route: undefined,
      closeEarly: undefined,
    }
    exchanges.set(request, exchange)
    return exchange
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const exchange = makeExchange(request, response)
    open.add(exchange)
    for (const side of [request, response])
      side.on('error', (error: Error) => logger.debug('A connection broke.', { error, request_id: exchange.requestId }))
    if (readiness.draining()) response.setHeader('connection', 'close')
    response.once('close', () => {
      if (!response.writableFinished) exchange.controller.abort(new ClientGoneError('The client went away.'))
    })
    const site = table.sites.match(request.headers.host)
    if (site) {
      void serveSite(siteServer, exchange, site)
      return
    }
    handle(request, response).catch((error: unknown) => {
      logger.error('A request failed outside of the pipeline.', { error, request_id: exchange.requestId })
      response.destroy()
    })
  }

  const server: Server = createNodeServer(limits, {
    receive,
    upgrade: upgrades.receive,
    fail(error, socket) {
      const [exchange, ...others] = open.on(socket)
      if (!exchange) return answerParserError(error, socket, headers)
      // The head was fine, the body is not: the request can still be answered where it is the only one and nothing has been written.
      if (others.length === 0)
        answerProblem(exchange, invalidHeadError.create({ reason: 'its body is not framed as announced' }, { cause: error }), logger)
      exchange.controller.abort(new ClientGoneError('The request broke off.', { cause: error }))
      socket.destroySoon()
      return undefined
    },
  })

  let closing: Promise<void> | undefined
  return {
    listen: () => listen(server, settings, { portBefore: dependencies.portBefore, logger }),
    ready: readiness.setReady,
    setStep: readiness.setStep,
    async drain(limitMs) {
      readiness.setDraining()
      server.close()
      server.closeIdleConnections()
      open.closeConnections()
      open.closeEarly('draining')
      await open.waitUntilEmpty(limitMs)
      open.abortAll(new GivenUpError('draining'))
    },
    close() {
      closing ??= (async () => {
        readiness.setDraining()
        open.abortAll(new GivenUpError('draining'))
        server.closeAllConnections()
        upgrades.destroyAll()
        await new Promise<void>((resolve) => {
          if (server.listening) server.close(() => resolve())
          else resolve()
        })
        await jsonPool.close()
        shares.close()
        counts.close()
      })()
      return closing
    },
  }
}

const notNoted: NoteOperation = async () => undefined

/** Joins what takes over connections: WebSockets of routes, and what goes through to sites. */
function createUpgrades(
  { table, logger, clock, authenticator, routeAccess, answerCheck, noteOperation = notNoted }: HttpServerDependencies,
  parts: Pick<UpgradeReceiverOptions, 'server' | 'headers' | 'siteHeaders' | 'authRateLimiter' | 'open' | 'makeExchange'> & {
    readonly limits: HttpLimits
    readonly origins: OriginPolicy
    readonly metrics: HttpMetrics
    readonly readiness: Readiness
    readonly counts: ConnectionCounts
  },
): UpgradeReceiver {
  const { limits, siteHeaders, origins, metrics, readiness, counts, ...rest } = parts
  const { draining, startingStep } = readiness
  return createUpgradeReceiver({
    ...rest,
    ...{ logger, clock, siteHeaders },
    siteOf: table.sites.match,
    webSockets: createWebSocketGateway({
      ...{ table, origins, limits, clock, logger, metrics, authenticator, routeAccess, noteOperation, answerCheck, startingStep, draining },
      counts,
    }),
    tunnels: createSiteTunnels({
      ...{ clock, limits, draining },
      refuse: (exchange, socket, answered, ownerId) =>
        answerOnSocket(exchange, socket, siteHeaders, () => sendSiteResponse(exchange, answered, ownerId, limits.stalledReaderMs)),
    }),
    finished: metrics.observe,
  })
}
