import type { JsonObject, JsonValue } from '../../core/json.js'

/**
 * What must go back to the vendor unchanged so that its reasoning survives: signatures, encrypted items. Dropped when the conversation moves to
 * another vendor or model.
 */
export type OpaquePart = {
  /** Family and model that can read it, as the adapter writes it. */
  readonly vendor: string
  readonly data: JsonValue
}

export type TextPart = {
  readonly type: 'text'
  readonly text: string
}

export type ImagePart = {
  readonly type: 'image'
  readonly media_type: string
  /** Base64, or a URL that the vendor fetches; exactly one of the two. */
  readonly data?: string
  readonly url?: string
}

export type FilePart = {
  readonly type: 'file'
  readonly media_type: string
  readonly name: string
  readonly data?: string
  readonly url?: string
}

/** Reasoning that a model showed. `text` may be empty where the vendor gives only an opaque part. */
export type ReasoningPart = {
  readonly type: 'reasoning'
  readonly text: string
  readonly opaque?: OpaquePart
}

/** A complete tool call. A call that was cut off never becomes one. */
export type ToolCallPart = {
  readonly type: 'tool_call'
  /** Ours: unique in the run, the same after a restart. In a model's answer it is the vendor's id until the run gives its own. */
  readonly call_id: string
  /** The vendor's id, sent back with the result. */
  readonly provider_call_id?: string
  readonly name: string
  readonly arguments: JsonObject
  /** The text that the model gave where it was not a JSON object; `arguments` is empty then and the call is answered with an error. */
  readonly invalid_arguments?: string
  readonly opaque?: OpaquePart
}

/** The answer to a call. Every call has exactly one before the next turn of the model. */
export type ToolResultPart = {
  readonly type: 'tool_result'
  readonly call_id: string
  readonly provider_call_id?: string
  readonly name: string
  readonly content: readonly (TextPart | ImagePart | FilePart)[]
  readonly is_error?: boolean
  /** `unknown`: the call may or may not have had its effect. */
  readonly outcome?: 'unknown'
}

/** One part of a message. The same shape is stored, sent over HTTP and given to adapters. */
export type ContentPart = TextPart | ImagePart | FilePart | ReasoningPart | ToolCallPart | ToolResultPart
