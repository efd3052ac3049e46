import type { RouteResponse } from '@agent-service/sdk/contracts/http-route'

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  /** Principal and route. */
  readonly scope: string
  readonly key: string
  /** Of path, query and body. */
  readonly digest: string
  readonly signal: AbortSignal
}

/** Answers requests with an `Idempotency-Key` once. */
export interface Idempotency {
  /** Runs `respond`, or returns the response that the first request with the key got. */
  answerOnce(respond: () => Promise<RouteResponse>, request: KeyedRequest): Promise<RouteResponse>
}
