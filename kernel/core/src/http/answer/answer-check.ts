import type { HttpRoute, RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { WebSocketMessage, WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'

/** A response that did not match what its route declares. */
export interface AnswerViolation {
  readonly operationId: string
  readonly status: number
  readonly problem: string
}

/**
 * Checks responses against what routes declare, and keeps the violations. For tests: it validates
 * every response.
 */
export interface AnswerCheck {
  readonly violations: readonly AnswerViolation[]
  /** @throws `answer_mismatch` */
  check(route: HttpRoute, response: RouteResponse): void
  /** The same for a message that a WebSocket sends. @throws `answer_mismatch` */
  checkMessage(route: WebSocketRoute, message: WebSocketMessage): void
}
