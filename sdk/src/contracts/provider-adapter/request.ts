import type { JsonObject } from '../../core/json.js'
import type { FilePart, ImagePart, ReasoningPart, TextPart, ToolCallPart, ToolResultPart } from './content.js'

/**
 * One message of a conversation as a model sees it. `name` tells participants of one role apart; it
 * needs the ability `messageNames`.
 */
export type ModelMessage =
  | { readonly role: 'system'; readonly name?: string; readonly content: readonly TextPart[] }
  | { readonly role: 'user'; readonly name?: string; readonly content: readonly (TextPart | ImagePart | FilePart)[] }
  | {
      readonly role: 'assistant'
      readonly name?: string
      readonly content: readonly (TextPart | ReasoningPart | ToolCallPart | ImagePart)[]
    }
  | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] }

/** A tool as a model sees it. `parameters` is a JSON Schema of an object. */
export interface ModelTool {
  /** Its name; unique in the request. */
  readonly name: string
  /** What it does, when to use it, what it answers. */
  readonly description: string
  /** JSON Schema of the arguments, an object. */
  readonly parameters: JsonObject
  /**
   * Whether the vendor holds the arguments of every call to `parameters`. True needs the ability
   * `strictTools`. Default: as the adapter does otherwise, which is not strict.
   */
  readonly strict?: boolean
}

/** A JSON Schema that an answer must follow. */
export interface ResponseSchema {
  /** What the answer is, for the vendor: letters, digits, `_` and `-`. */
  readonly name: string
  /** The schema. */
  readonly schema: JsonObject
  /** What the answer is for, for the model. */
  readonly description?: string
  /**
   * Whether the vendor enforces the schema. True needs the ability `strictSchemas`. Default: as well
   * as the adapter can; the caller checks the answer.
   */
  readonly strict?: boolean
}

/** Whether the model may call tools: freely, never, at least one, or exactly this one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** Where to send a request and how to sign it. Resolved for each call; never stored or logged. */
export interface ModelConnection {
  /** The connection's handle, for messages. */
  readonly handle: string
  /** The brand in the catalogue, or the custom one of the configuration. */
  readonly brand: string
  /** Without a trailing slash, with the version part: `https://api.openai.com/v1`. */
  readonly baseUrl: string
  /** Absent where the upstream wants none. Never in an event, an error or a log. */
  readonly apiKey?: string
  /** How this brand differs from the plain protocol: data from the catalogue. */
  readonly quirks: JsonObject
  /** Where and as whom to call a cloud platform that signs with its own credentials. */
  readonly aws?: { readonly region?: string; readonly profile?: string }
  /** The account that a token of a signed-in person belongs to, if the vendor asks for its id. */
  readonly accountId?: string
}

/**
 * Settings that have a type, in the specification's names. An adapter is given only those that its
 * protocol supports.
 */
export interface ModelSettings {
  /** The most tokens of the answer. */
  readonly max_tokens?: number
  /** How freely the model chooses; the range is the protocol's. */
  readonly temperature?: number
  /** The other settings of {@link ProviderProtocol.settings}, validated by it. */
  readonly [name: string]: JsonObject[string] | undefined
}

/** A setting, or a part of a request that a brand may not take. */
export type RequiredMember = 'tools' | 'tool_choice' | 'images' | 'files' | (string & {})

/** How long parts of a call may take, in milliseconds. */
export interface ModelTimeouts {
  /** Until the connection is open. */
  readonly connectMs: number
  /** From the start of the call to the first content of the answer. */
  readonly firstTokenMs: number
  /** Between two pieces of the answer. */
  readonly idleMs: number
  /** For the whole call. */
  readonly totalMs: number
}

/** One call of a model. */
export interface ModelRequest {
  /** Where it goes. */
  readonly connection: ModelConnection
  /** One of the adapter's `protocols`. */
  readonly protocol: string
  /** The model's id, as the vendor writes it. */
  readonly model: string
  /**
   * The conversation from old to new. Every tool call in it has its one result. System messages stand
   * before it, and may stand behind it: the last message need not be what is answered.
   */
  readonly messages: readonly ModelMessage[]
  /** What the model may call. May be empty. */
  readonly tools: readonly ModelTool[]
  /** Default `auto`. Of no meaning without tools. */
  readonly toolChoice?: ToolChoice
  /** Validated by the protocol; absent ones are left to the vendor. */
  readonly settings: ModelSettings
  /**
   * Merged into the native body after mapping. Holds no field of the catalogue's that the service
   * owns: the host has refused such a call before.
   */
  readonly extraParams: JsonObject
  /**
   * The context window in tokens that the group was given, if it was. For runtimes that allocate
   * what they are asked for.
   */
  readonly contextWindow?: number
  /** The JSON Schema that the answer must follow. */
  readonly responseSchema?: ResponseSchema
  /** True: the answer is one JSON object of any shape. Not together with `responseSchema`. */
  readonly jsonObject?: boolean
  /**
   * Whether the model may make several tool calls in one answer. False needs the ability
   * `parallelToolCalls`. Default: as the vendor does.
   */
  readonly parallelToolCalls?: boolean
  /**
   * Asks for the log probability of each token of the text, with those of `top` likely tokens in the
   * same position, 0 to 20. Default: none.
   */
  readonly logprobs?: { readonly top: number }
  /** What to add to the logits of tokens, by the vendor's token id. Default: nothing. */
  readonly logitBias?: Readonly<Record<string, number>>
  /**
   * What of the request the caller insists on: names of settings, and of `tools`, `tool_choice`,
   * `images` and `files` those that it has. The adapter sends it, or throws `bad_request`; what is not
   * named it may replace or leave out where the brand or the model refuses it. Default: nothing.
   */
  readonly required?: readonly RequiredMember[]
  /** Ask for a stream. The answer is read by its content type. */
  readonly stream: boolean
  /** A limit that is passed ends the call with a `timeout` failure. */
  readonly timeouts: ModelTimeouts
}
