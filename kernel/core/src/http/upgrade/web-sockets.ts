import type { Logger } from '@agent-service/sdk'
import type { WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { AuditNotes } from '../../audit/index.js'
import type { QuotaRegistry } from '../../quotas/index.js'
import type { AnswerCheck } from '../answer/answer-check.js'
import type { Authentication } from '../authenticator.js'
import type { HttpLimits } from '../http-options.js'
import type { Exchange, Transport } from '../request/exchange.js'
import type { RequestValues } from '../request/query-values.js'
import type { TableEntry } from '../route-table.js'

/** An authorized handshake. */
export interface Handshake {
  readonly exchange: Exchange
  readonly transport: Transport
  readonly path: string
  readonly holder: string
  readonly entry: TableEntry
  readonly webSocket: WebSocketRoute
  readonly authentication: Authentication | undefined
  readonly values: RequestValues
}

/** Serves the WebSocket routes. */
export interface WebSockets {
  /**
   * Opens a WebSocket and serves it; resolves when the connection has ended. Errors before the
   * upgrade are answered as problems.
   */
  serve(handshake: Handshake): Promise<void>
  /** Ends the limits. */
  close(): void
}

/** The metrics of WebSockets. */
export interface WebSocketMetrics {
  webSocketOpened(operation: string): void
  webSocketClosed(operation: string, code: number): void
  webSocketMessage(operation: string, direction: 'in' | 'out'): void
}

/** What {@link WebSockets} need of the HTTP layer. */
export interface WebSocketServices {
  readonly quotas: Pick<QuotaRegistry, 'declare'>
  readonly limits: HttpLimits
  readonly clock: Clock
  readonly logger: Logger
  /** Notes WebSockets of administrators in the audit log. */
  readonly audit: AuditNotes
  /** Only in tests: checks every sent message against what its route declares. */
  readonly answerCheck: AnswerCheck | undefined
  readonly metrics: WebSocketMetrics
  readonly draining: () => boolean
}
