import type { JsonValue } from '@agent-service/sdk'
import type { InjectionToken } from 'tsyringe'

/** An answer that can be given again. */
export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent for an answer without a body. */
  readonly json?: JsonValue
}

/** What to do with a request that carries a key. */
export type IdempotencyDecision =
  | {
      readonly kind: 'run'
      /** Keeps the answer for those who ask again. */
      finish(answer: StoredAnswer): Promise<void>
      /** Nothing came of it: the next request with the key runs. */
      abandon(): Promise<void>
    }
  /** The first request has been answered. */
  | { readonly kind: 'replay'; readonly answer: StoredAnswer }
  /** The key came with another request before. */
  | { readonly kind: 'mismatch' }
  /** The first request is still being worked on. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }

/** Remembers for 24 hours what requests with an `Idempotency-Key` were answered. What it keeps cannot be read without the key. */
export interface IdempotencyStore {
  /** `scope`: principal and route. `digest`: of everything that makes the request what it is. Waits a while for a first request that runs in this process. */
  begin(request: {
    readonly scope: string
    readonly key: string
    readonly digest: string
    readonly signal: AbortSignal
  }): Promise<IdempotencyDecision>
}

export const idempotencyToken: InjectionToken<IdempotencyStore> = Symbol('idempotency')
