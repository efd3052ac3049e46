import type { HttpRoute, RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { WebSocketMessage, WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'

/** An answer that was not what its route declares. */
export interface AnswerViolation {
  readonly operationId: string
  readonly status: number
  readonly problem: string
}

/** Holds answers against what routes declare, and remembers what did not fit. For tests: it costs a validation for each answer. */
export interface AnswerCheck {
  readonly violations: readonly AnswerViolation[]
  /** @throws `answer_mismatch` */
  check(route: HttpRoute, response: RouteResponse): void
  /** The same for a message that a WebSocket sends. @throws `answer_mismatch` */
  checkMessage(route: WebSocketRoute, message: WebSocketMessage): void
}
