import { setMaxListeners } from 'node:events'
import type { Disposer, LogFields, Logger } from '@agent-service/sdk'
import type { HttpRoute, Principal } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'

import { createRedactor } from '../../log/create-redactor.js'
import type { QuotaRegistry } from '../../quotas/index.js'
import { createPlainQuotas } from '../../quotas/testing/plain-quotas.js'
import type { AnswerCheck } from '../answer/answer-check.js'
import type { Authenticator } from '../authenticator.js'
import { unauthenticatedError } from '../errors.js'
import type { HttpSettings } from '../http-options.js'
import type { HttpServer } from '../http-server.js'
import type { RouteAccess } from '../request/access.js'
import type { RouteOwner, SiteTable } from '../route-table.js'
import { createDispatchTable, type DispatchTable } from '../routing/dispatch-table.js'
import { createHttpServer, type HttpServerDependencies } from '../server/create-http-server.js'
import { createAnswerCheck } from './create-answer-check.js'

/** One logged line. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields
}

/** A log that keeps its lines. */
export function createRecordingLogger(lines: LogLine[], base: LogFields = {}): Logger {
  const write =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ level, message, fields: { ...base, ...fields } })
    }
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => createRecordingLogger(lines, { ...base, ...fields }),
  }
}

/** The operating system's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    timer.unref()
    return () => clearTimeout(timer)
  },
  wait: (milliseconds, { signal }) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, milliseconds)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    }),
}

/** A principal; `changes` override its members. */
export const testPrincipal = (changes: Partial<Principal> = {}): Principal => ({
  userId: '0190a0a0-0000-7000-8000-000000000001',
  username: 'ada',
  handle: 'ada',
  role: 'user',
  scopes: ['read', 'write', 'inference'],
  ...changes,
})

/** The effect of the policies that ship with the service. */
export const roleAccess: RouteAccess = {
  mayCall: async ({ role }, { auth }) => auth !== 'admin' || role === 'admin',
}

/** Knows the tokens that the test grants. The test ends a credential by aborting its controller. */
export interface TestAuthenticator extends Authenticator {
  grant(token: string, principal: Principal): AbortController
  /** Watches on credentials that were not released. */
  held(): number
}

/**
 * An authenticator that accepts the granted tokens as bearers, query tokens and as the cookie
 * `refresh_token`.
 */
export function createTestAuthenticator(): TestAuthenticator {
  const known = new Map<string, { readonly principal: Principal; readonly controller: AbortController }>()
  let held = 0
  return {
    grant(token, principal) {
      const controller = new AbortController()
      // Each stream of the credential adds a listener.
      setMaxListeners(0, controller.signal)
      known.set(token, { principal, controller })
      return controller
    },
    held: () => held,
    async authenticate({ bearer, queryToken, cookies }) {
      const token = bearer ?? queryToken ?? cookies['refresh_token']
      if (token === undefined) return undefined
      const found = known.get(token)
      if (!found) throw unauthenticatedError.create({})
      held++
      return { principal: found.principal, ended: found.controller.signal, release: () => void held-- }
    },
  }
}

/** The defaults of section `server`, on a free port of the loopback address. */
export const testSettings: HttpSettings = {
  host: '127.0.0.1',
  port: 0,
  max_body_size_bytes: 104_857_600,
  keep_alive_timeout_secs: 125,
}

/** A listening HTTP server of one test. */
export interface TestServer {
  readonly origin: string
  /** The same server by its listener for programs. */
  readonly programOrigin: string
  readonly port: number
  readonly server: HttpServer
  readonly table: DispatchTable
  readonly authenticator: TestAuthenticator
  readonly answerCheck: AnswerCheck
  readonly log: readonly LogLine[]
  add(route: HttpRoute, owner?: RouteOwner): Disposer
  fetch(path: string, init?: RequestInit & { readonly token?: string; readonly duplex?: 'half' }): Promise<Response>
  /** The limits, to check what is in use. */
  readonly quotas: QuotaRegistry
  close(): Promise<void>
}

/** Starts only the HTTP layer on port 0, ready, with the given routes of the owner `kernel`. */
export async function startTestServer(
  options: {
    readonly routes?: readonly HttpRoute[]
    readonly settings?: Partial<HttpSettings>
    readonly starting?: boolean
    /** Default: limits that only count and refuse. */
    readonly quotas?: QuotaRegistry
    /** The hosts that sites may claim. Default: none. */
    readonly siteTable?: SiteTable
  } & Partial<
    Pick<
      HttpServerDependencies,
      'limits' | 'clock' | 'idempotency' | 'jsonPool' | 'metrics' | 'pages' | 'sites' | 'webSockets' | 'door' | 'admitsWhenReady'
    >
  > = {},
): Promise<TestServer> {
  const table = createDispatchTable(options.siteTable && { sites: options.siteTable })
  const authenticator = createTestAuthenticator()
  const answerCheck = createAnswerCheck()
  const log: LogLine[] = []
  const clock = options.clock ?? systemClock
  const quotas = options.quotas ?? createPlainQuotas()
  const server = createHttpServer({
    settings: { ...testSettings, ...options.settings },
    table,
    logger: createRecordingLogger(log),
    redactor: createRedactor(),
    clock,
    version: '1.2.3',
    quotas,
    authenticator,
    routeAccess: roleAccess,
    answerCheck,
    ...(options.idempotency ? { idempotency: options.idempotency } : {}),
    ...(options.jsonPool ? { jsonPool: options.jsonPool } : {}),
    ...(options.metrics ? { metrics: options.metrics } : {}),
    ...(options.sites ? { sites: options.sites } : {}),
    ...(options.webSockets ? { webSockets: options.webSockets } : {}),
    ...(options.pages ? { pages: options.pages } : {}),
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.door ? { door: options.door } : {}),
    ...(options.admitsWhenReady ? { admitsWhenReady: true } : {}),
  })
  for (const route of options.routes ?? []) table.add(route, { id: 'kernel' })
  const { port, forPrograms } = await server.listen()
  if (!options.starting) server.ready()
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    programOrigin: `http://${forPrograms.host}:${forPrograms.port}`,
    port,
    server,
    table,
    authenticator,
    answerCheck,
    log,
    quotas,
    add: (route, owner = { id: 'kernel' }) => table.add(route, owner),
    fetch(path, init = {}) {
      const { token, ...rest } = init
      const headers = new Headers(rest.headers)
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
      return fetch(`${origin}${path}`, { ...rest, headers })
    },
    close: () => server.close(),
  }
}
