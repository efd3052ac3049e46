import type { ModelUsage, StopReason } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceAttribution } from '@agent-service/sdk/services/inference'

/** What is known of one call of a model once it has ended, well or not. */
export interface CallRecord {
  /** On whose behalf, where the caller said so. */
  readonly attribution: InferenceAttribution | undefined
  readonly group: string
  /** 0 for the group's own model, else the number of the fallback. */
  readonly fallback: number
  /** Calls of the same model before this one. */
  readonly retries: number
  /** Handle of the connection. */
  readonly connection: string
  readonly brand: string
  readonly model: string
  readonly protocol: string
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** In milliseconds; 0 of a call that was lost. */
  readonly durationMs: number
  /** Until the first content of the answer, in milliseconds; absent where none came. */
  readonly firstTokenMs: number | undefined
  /** `lost`: its process went down, and nobody saw it end. */
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'lost'
  /** What kind of failure, of a call that failed. */
  readonly failure: string | undefined
  readonly stopReason: StopReason | undefined
  /** The model that answered, as the vendor names it. */
  readonly responseModel: string | undefined
  /** Of a call that completed; estimated of one that was lost, that its caller left, or that failed in the middle of its answer. */
  readonly usage: ModelUsage | undefined
  /** The vendor's name for the request. */
  readonly requestId: string | undefined
  /** A stream was asked for and the answer came in one piece. */
  readonly inOnePiece: boolean
}
