import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { Exchange } from '../request/exchange.js'
import type { WebSocketMetrics } from '../upgrade/web-sockets.js'

/** The metrics of the HTTP layer. */
export interface HttpMetrics extends WebSocketMetrics {
  observe(exchange: Exchange, durationMs: number): void
  /**
   * A handshake that was answered with a problem. The operation is `undefined` if no route matched.
   */
  webSocketRefused(operation: string | undefined, status: number): void
  /** Serve the metrics. */
  readonly routes: readonly HttpRoute[]
}

/** Counts nothing. */
export const noMetrics: HttpMetrics = {
  observe: () => undefined,
  webSocketOpened: () => undefined,
  webSocketClosed: () => undefined,
  webSocketMessage: () => undefined,
  webSocketRefused: () => undefined,
  routes: [],
}
