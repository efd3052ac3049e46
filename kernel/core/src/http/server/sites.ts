import type { Clock } from '@agent-service/sdk/services/clock'
import type { HttpLimits } from '../http-options.js'
import type { Exchange } from '../request/exchange.js'
import type { SiteMatch } from '../route-table.js'

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
