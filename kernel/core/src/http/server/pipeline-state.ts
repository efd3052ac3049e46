import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { AuditNotes } from '../../audit/index.js'
import type { Redactor } from '../../log/redactor.js'
import type { AnswerCheck } from '../answer/answer-check.js'
import type { Authentication, Authenticator } from '../authenticator.js'
import type { BodyReaderOptions, ReadBody } from '../body/read-body.js'
import type { HttpLimits } from '../http-options.js'
import type { Idempotency } from '../idempotency/index.js'
import type { AuthRateLimiter } from '../limits/auth-rate-limiter.js'
import type { RequestLimits } from '../limits/request-limits.js'
import type { HttpMetrics } from '../pages/http-metrics.js'
import type { RouteAccess } from '../request/access.js'
import type { Exchange } from '../request/exchange.js'
import type { OriginPolicy } from '../request/origin-policy.js'
import type { RequestValues } from '../request/query-values.js'
import type { RequestTarget } from '../request/request-target.js'
import type { SiteMatch, TableEntry } from '../route-table.js'
import type { DispatchTable } from '../routing/dispatch-table.js'
import type { WebSockets } from '../upgrade/web-sockets.js'
import type { ExchangeServices } from './open-exchanges.js'

/** What the pipeline needs. */
export interface PipelineServices extends ExchangeServices {
  readonly limits: HttpLimits
  readonly metrics: HttpMetrics
  readonly table: DispatchTable
  /** The paths of the public addresses, the longest first: targets may begin with one. */
  readonly basePaths: readonly string[]
  /** Headers of every response of the service. */
  readonly headers: Readonly<Record<string, string>>
  readonly sites: Sites | undefined
  readonly webSockets: WebSockets | undefined
  readonly audit: AuditNotes
  readonly origins: OriginPolicy
  readonly authRateLimiter: AuthRateLimiter
  readonly authenticator: Authenticator
  readonly routeAccess: RouteAccess
  readonly idempotency: Idempotency | undefined
  readonly shares: RequestLimits
  readonly bodies: BodyReaderOptions
  readonly logger: Logger
  /** Masks secrets in errors of plugins. */
  readonly redactor: Redactor
  /**
   * The step of the start, while plugins may still add routes: until then a path without a route
   * gets 503.
   */
  readonly startingStep: () => string | undefined
  readonly answerCheck: AnswerCheck | undefined
  readonly pages: WebPages | undefined
}

/** What is served outside the API at paths without a route. */
export interface WebPages {
  /** Answers the request. False if there is nothing at the path. */
  serve(exchange: Exchange, path: string): Promise<boolean>
}

/** A request whose target has been parsed. */
export interface Targeted extends Exchange {
  target: RequestTarget
  /** Whether the path belongs to a protocol whose clients are taken as they are: see `HttpErrorFormat.lenient`. */
  lenient: boolean
}

/** A request with its route. */
export interface Matched extends Targeted {
  entry: TableEntry
  params: Readonly<Record<string, string>>
}

/** A request that may call its route, with its authentication. */
export interface Authorized extends Matched {
  authentication: Authentication | undefined
  /** The holder that the request counts for. */
  holder: string
  /** The query without credentials. */
  pairs: readonly (readonly [string, string])[]
}

/** A request with valid parameters. */
export interface Validated extends Authorized {
  values: RequestValues
}

/** A request whose body was received, or can be read as a stream. */
export interface Received extends Validated {
  read: ReadBody
  idempotencyKey: string | undefined
}

/** Serves the hosts that plugins claim. */
export interface Sites {
  /** The default headers of every response of a site. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Answers a request to a claimed host only by its site. Resolves when the response is written or
   * the connection has ended. Errors are answered as problems.
   */
  serve(exchange: Exchange, match: SiteMatch): Promise<void>
}

/** What {@link Sites} need of the HTTP layer. */
export interface SiteServices {
  readonly clock: Clock
  readonly limits: HttpLimits
  /** Limit of a request's body, in bytes. */
  readonly maxBodyBytes: number
  /** The configured addresses of the service's own pages and API. */
  readonly ownUrls: readonly (string | undefined)[]
  readonly draining: () => boolean
}
