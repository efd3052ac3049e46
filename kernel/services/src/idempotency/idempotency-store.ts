import type { KeyedRequest } from '@agent-service/kernel-core/http/idempotency'
import type { JsonValue } from '@agent-service/sdk'

/** A response that can be replayed. */
export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent for a response without a body. */
  readonly json?: JsonValue
}

/** What to do with a request that carries a key. */
export type IdempotencyDecision =
  | {
      readonly kind: 'run'
      /** Stores the response for later requests with the key. */
      finish(answer: StoredAnswer): Promise<void>
      /** Stores nothing: the next request with the key runs. */
      abandon(): Promise<void>
    }
  /** The first request has been answered. */
  | { readonly kind: 'replay'; readonly answer: StoredAnswer }
  /** The key was used for a different request. */
  | { readonly kind: 'mismatch' }
  /** The first request is still in progress. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }

/**
 * Keeps the responses to requests with an `Idempotency-Key` for 24 hours. They cannot be read
 * without the key.
 */
export interface IdempotencyStore {
  /**
   * If the first request with the
   * key runs in this process, waits for it up to a limit.
   */
  begin(request: KeyedRequest): Promise<IdempotencyDecision>
}
