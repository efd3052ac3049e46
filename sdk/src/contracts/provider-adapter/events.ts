import type { JsonObject } from '../../core/json.js'
import type { ReasoningPart, TextPart, ToolCallPart } from './content.js'

/** Why a model stopped, in one vocabulary for all families. */
export type StopReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'refusal' | 'other'

/** Tokens of one call. `input_tokens` counts cached ones too, `output_tokens` reasoning too. */
export type ModelUsage = {
  /** Tokens of the prompt, cached ones too. */
  readonly input_tokens: number
  /** Those of them that came from the vendor's cache; 0 where it does not say. */
  readonly cached_input_tokens: number
  /** Tokens of the answer, reasoning too. */
  readonly output_tokens: number
  /** Those of them that were reasoning; 0 where the vendor does not say. */
  readonly reasoning_tokens: number
  /** The vendor gave no numbers; these are estimates. */
  readonly estimated?: boolean
}

/**
 * What a call yields, in order: one `response.started`, deltas of parts, one `response.finished`. `part` is the index of the part in the final
 * content. A call that fails throws a provider error instead of finishing; what was yielded before it is all there is.
 */
export type ModelEvent =
  | { readonly type: 'response.started'; readonly response_id?: string; readonly model?: string }
  | { readonly type: 'text.delta'; readonly part: number; readonly text: string }
  | { readonly type: 'reasoning.delta'; readonly part: number; readonly text: string }
  | { readonly type: 'tool_call.started'; readonly part: number; readonly provider_call_id: string; readonly name: string }
  | { readonly type: 'tool_call.delta'; readonly part: number; readonly arguments_text: string }
  | {
      readonly type: 'response.finished'
      /** The whole answer: parts that ended, in order. */
      readonly content: readonly (TextPart | ReasoningPart | ToolCallPart)[]
      readonly stop_reason: StopReason
      /** As the vendor wrote it. */
      readonly raw_stop_reason?: string
      readonly usage: ModelUsage
      readonly raw_usage?: JsonObject
      /** What else the vendor said that may matter later: service tier, citations, attestations. Never opaque reasoning. */
      readonly metadata?: JsonObject
    }
