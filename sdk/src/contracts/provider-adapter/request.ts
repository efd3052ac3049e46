import type { JsonObject } from '../../core/json.js'
import type { FilePart, ImagePart, ReasoningPart, TextPart, ToolCallPart, ToolResultPart } from './content.js'

/** One message of a conversation as a model sees it. */
export type ModelMessage =
  | { readonly role: 'system'; readonly content: readonly TextPart[] }
  | { readonly role: 'user'; readonly content: readonly (TextPart | ImagePart | FilePart)[] }
  | { readonly role: 'assistant'; readonly content: readonly (TextPart | ReasoningPart | ToolCallPart | ImagePart)[] }
  | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] }

/** A tool as a model sees it. `parameters` is a JSON Schema of an object. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** Where to send a request and how to sign it. Resolved for each call; never stored or logged. */
export interface ModelConnection {
  /** The connection's handle, for messages. */
  readonly handle: string
  readonly brand: string
  /** Without a trailing slash, with the version part: `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly apiKey?: string
  /** How this brand differs from the plain protocol: data from the catalogue. */
  readonly quirks: JsonObject
}

/** Settings that have a type, in the specification's names. An adapter is given only those that its protocol supports. */
export interface ModelSettings {
  readonly max_tokens?: number
  readonly temperature?: number
  readonly [name: string]: JsonObject[string] | undefined
}

/** How long parts of a call may take, in milliseconds. */
export interface ModelTimeouts {
  readonly connectMs: number
  readonly firstTokenMs: number
  readonly idleMs: number
  readonly totalMs: number
}

/** One call of a model. */
export interface ModelRequest {
  readonly connection: ModelConnection
  /** One of the adapter's `protocols`. */
  readonly protocol: string
  readonly model: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly toolChoice?: ToolChoice
  readonly settings: ModelSettings
  /** Merged into the native body after mapping, without the fields that the service owns. */
  readonly extraParams: JsonObject
  /** The JSON Schema that the answer must follow. */
  readonly responseSchema?: { readonly name: string; readonly schema: JsonObject }
  /** Ask for a stream. The answer is read by its content type, whatever was asked. */
  readonly stream: boolean
  readonly timeouts: ModelTimeouts
}
