import type { JsonObject, JsonValue } from '../../core/json.js'

/**
 * What must go back to the vendor unchanged so that its reasoning survives: signatures, encrypted
 * items. Dropped when the conversation moves to another vendor or model.
 */
export type OpaquePart = {
  /** Family and model that can read it, as the adapter writes it. */
  readonly vendor: string
  /** The content. Only that vendor reads it, and it goes back as it came. */
  readonly data: JsonValue
}

/** Text of a person or a model. */
export type TextPart = {
  readonly type: 'text'
  /** Well-formed Unicode; may be empty. */
  readonly text: string
  /** The vendor's opaque data of the text: a signature, the ids of an item. */
  readonly opaque?: OpaquePart
}

/** An image for a model to see, or one that a model made. */
export type ImagePart = {
  readonly type: 'image'
  /** `image/png`, `image/jpeg`, … */
  readonly media_type: string
  /** Base64, or a URL that the vendor fetches; exactly one of the two. */
  readonly data?: string
  /** See `data`. */
  readonly url?: string
  /**
   * How finely the model is to see it; `auto`, the default, leaves it to the vendor. Any other needs
   * the ability `imageDetail`.
   */
  readonly detail?: 'auto' | 'low' | 'high' | 'original'
  /** The vendor's opaque data of an image that its model made. */
  readonly opaque?: OpaquePart
}

/** A file for a model to read. */
export type FilePart = {
  readonly type: 'file'
  /** `application/pdf`, `text/csv`, … */
  readonly media_type: string
  /** The person's file name, without folders. */
  readonly name: string
  /** Base64, or a URL that the vendor fetches; exactly one of the two. */
  readonly data?: string
  /** See `data`. */
  readonly url?: string
  /**
   * The text of a file that is none itself, for models that cannot be sent the file. Inference sends
   * one of the two; no adapter gets it. Default: its text is not known.
   */
  readonly as_text?: string
}

/**
 * Reasoning that a model showed. `text` may be empty if the vendor gives only an opaque part,
 * and for an item that only the vendor knows wants to see again at this place.
 */
export type ReasoningPart = {
  readonly type: 'reasoning'
  /** Its visible text. */
  readonly text: string
  /** The vendor's opaque data of the reasoning. */
  readonly opaque?: OpaquePart
}

/** A complete tool call. A call that was cut off never becomes one. */
export type ToolCallPart = {
  readonly type: 'tool_call'
  /**
   * Ours: unique in the run, the same after a restart. In a model's answer it is the vendor's id
   * until the run gives its own.
   */
  readonly call_id: string
  /** The vendor's id, sent back with the result. */
  readonly provider_call_id?: string
  /** The tool that the model called; it need not exist. */
  readonly name: string
  /** The model's arguments, not yet validated against the tool's schema. */
  readonly arguments: JsonObject
  /**
   * The model's text if it was not a JSON object; `arguments` is empty then and the result of the
   * call is an error.
   */
  readonly invalid_arguments?: string
  /** The vendor's opaque data of the call. */
  readonly opaque?: OpaquePart
}

/** The answer to a call. Every call has exactly one before the next turn of the model. */
export type ToolResultPart = {
  readonly type: 'tool_result'
  /** The call that it answers, by our id. */
  readonly call_id: string
  /** The call that it answers, by the vendor's id, if it gave one. */
  readonly provider_call_id?: string
  /** The tool that was called. */
  readonly name: string
  /** What the model reads. May be empty. */
  readonly content: readonly (TextPart | ImagePart | FilePart)[]
  /** The tool failed and `content` says why. Default false. */
  readonly is_error?: boolean
  /** `unknown`: the call may or may not have had its effect. */
  readonly outcome?: 'unknown'
}

/** One part of a message. The same shape is stored, sent over HTTP and given to adapters. */
export type ContentPart = TextPart | ImagePart | FilePart | ReasoningPart | ToolCallPart | ToolResultPart
