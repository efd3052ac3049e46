import type { ModelUsage, StopReason } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceAttribution } from '@agent-service/sdk/services/inference'
import type { ConfiguredPrice } from '../configuration/models-section.js'

/** One model call that has ended, with any outcome. */
export interface CallRecord {
  /** The user, agent, chat and run that the call is for, if the caller named them. */
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
  /** The price that the configuration gives this model; it wins over all others. */
  readonly price: ConfiguredPrice | undefined
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** In milliseconds; 0 for a lost call. */
  readonly durationMs: number
  /** Until the first content of the answer, in milliseconds; `undefined` if none came. */
  readonly firstTokenMs: number | undefined
  /** `lost`: its process crashed, so its end is not known. */
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'lost'
  /** The kind of failure, if it failed. */
  readonly failure: string | undefined
  readonly stopReason: StopReason | undefined
  /** The model that answered, as the vendor names it. */
  readonly responseModel: string | undefined
  /**
   * Reported for a completed call; estimated for one that was lost, abandoned, or failed in the
   * middle of its answer.
   */
  readonly usage: ModelUsage | undefined
  /** The vendor's id of the request. */
  readonly requestId: string | undefined
  /** A stream was requested, but the answer came in one piece. */
  readonly inOnePiece: boolean
}
