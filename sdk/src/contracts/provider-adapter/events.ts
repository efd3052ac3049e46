import type { JsonObject } from '../../core/json.js'
import type { ImagePart, ReasoningPart, TextPart, ToolCallPart } from './content.js'

/** Why a model stopped, in one vocabulary for all families. */
export type StopReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'refusal' | 'other'

/** Tokens of one call. `input_tokens` counts cached ones too, `output_tokens` reasoning too. */
export type ModelUsage = {
  /** Tokens of the prompt, cached ones too. */
  readonly input_tokens: number
  /** Those of them that came from the vendor's cache; 0 if it does not say. */
  readonly cached_input_tokens: number
  /** Those of them that were written to the vendor's cache, if it says and there were any. */
  readonly cache_write_input_tokens?: number
  /** Tokens of the answer, reasoning too. */
  readonly output_tokens: number
  /** Those of them that were reasoning; 0 if the vendor does not say. */
  readonly reasoning_tokens: number
  /** The vendor gave no numbers; these are estimates. */
  readonly estimated?: boolean
  /** The cost reported by the vendor, in US dollars. */
  readonly cost_usd?: number
}

/** One limit of the vendor's, as its headers report it. */
export type RateLimit = {
  /** What it counts: requests, tokens of any kind, or tokens of one direction. */
  readonly unit: 'requests' | 'tokens' | 'input_tokens' | 'output_tokens'
  /** The most in its window. */
  readonly limit?: number
  /** What is left of it after this call. */
  readonly remaining?: number
  /** When it is fully available again, in milliseconds from now. */
  readonly reset_ms?: number
}

/** A token and how likely the model found it. */
export type LikelyToken = {
  /** Its text; may be a part of a character. */
  readonly token: string
  /** Natural logarithm of its probability. */
  readonly logprob: number
  /** Its bytes in UTF-8, if the vendor gives them. */
  readonly bytes?: readonly number[]
}

/** A token of the answer. `top` are the likeliest tokens in its position; may be empty. */
export type TokenLogprob = LikelyToken & { readonly top: readonly LikelyToken[] }

/**
 * What a call yields, in order: one `response.started`, deltas of parts, one `response.finished`.
 * `part` is the index of the part in the final content. A call that fails throws a provider error
 * instead of finishing; what was yielded before it is all there is.
 */
export type ModelEvent =
  | {
      readonly type: 'response.started'
      readonly response_id?: string
      /** The model that answers, as the vendor names it. */
      readonly model?: string
      /** The vendor's name for the request, for its support. */
      readonly request_id?: string
      /** A stream was asked for and the answer came in one piece. */
      readonly in_one_piece?: true
      /** The vendor's limits, from the headers of the answer. */
      readonly rate_limits?: readonly RateLimit[]
    }
  | {
      readonly type: 'text.delta'
      readonly part: number
      readonly text: string
      /** Those of its tokens, if they were asked for. */
      readonly logprobs?: readonly TokenLogprob[]
    }
  | { readonly type: 'reasoning.delta'; readonly part: number; readonly text: string }
  | { readonly type: 'tool_call.started'; readonly part: number; readonly provider_call_id: string; readonly name: string }
  | { readonly type: 'tool_call.delta'; readonly part: number; readonly arguments_text: string }
  | {
      readonly type: 'response.finished'
      /** The whole answer: parts that ended, in order. */
      readonly content: readonly (TextPart | ReasoningPart | ToolCallPart | ImagePart)[]
      readonly stop_reason: StopReason
      /** As the vendor wrote it. */
      readonly raw_stop_reason?: string
      readonly usage: ModelUsage
      readonly raw_usage?: JsonObject
      /** Log probabilities of the text parts that have them, if they were asked for. */
      readonly logprobs?: readonly { readonly part: number; readonly tokens: readonly TokenLogprob[] }[]
      /** The vendor's metadata: service tier, citations, attestations. Never opaque reasoning. */
      readonly metadata?: JsonObject
    }
