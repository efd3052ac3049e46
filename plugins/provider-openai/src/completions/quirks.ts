import type { JsonObject } from '@agent-service/sdk'
import { isObject, numberAt, objectAt, textAt } from '@agent-service/sdk/provider-kit'

/**
 * How a brand differs from the plain completions protocol. Data of the catalogue, read leniently: what is absent or of another type means the
 * plain protocol.
 */
export interface CompletionsQuirks {
  /** `api-key`: the key goes into a header of that name; `none`: no key is sent. */
  readonly auth: 'bearer' | 'api-key' | 'none'
  /** Replaces `/chat/completions`; `{model}` stands for the encoded model. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** False: the brand cannot stream, the answer comes in one piece. */
  readonly streaming: boolean
  /** False: `stream_options` is never sent. */
  readonly streamOptions: boolean
  /** False: the brand refuses tools; the calls and results of a conversation are told as text. */
  readonly tools: boolean
  /** `text`: message content is one string. */
  readonly content: 'parts' | 'text'
  /** True: user and assistant must take turns after the system messages. */
  readonly alternatingRoles: boolean
  /** The brand's word for a required tool call. */
  readonly requiredToolChoice: string
  /** Ids of tool calls have exactly this many letters and digits. */
  readonly toolCallIdLength: number | undefined
  /** Models, as a regular expression, that take `max_completion_tokens` and no `max_tokens`. */
  readonly maxCompletionTokensModels: RegExp | undefined
  /** The field in which the reasoning of assistant turns that called tools goes back. */
  readonly reasoningEcho: 'reasoning_content' | undefined
  /** The form in which a schema for the answer is sent. */
  readonly structuredOutput: 'json_schema' | 'json_object' | 'none'
  /** The name of the field for `seed`. */
  readonly seedField: string
}

/** Reads the quirks of a connection. */
export function readQuirks(quirks: JsonObject): CompletionsQuirks {
  const auth = textAt(quirks, 'auth')
  const structured = textAt(quirks, 'structured_output')
  const pattern = textAt(quirks, 'max_completion_tokens_models')
  return {
    auth: auth === 'api-key' || auth === 'none' ? auth : 'bearer',
    path: textAt(quirks, 'path') ?? '/chat/completions',
    query: textsOf(objectAt(quirks, 'query')),
    headers: textsOf(objectAt(quirks, 'headers')),
    streaming: quirks['streaming'] !== false,
    streamOptions: quirks['stream_options'] !== false,
    tools: quirks['tools'] !== false,
    content: quirks['content'] === 'text' ? 'text' : 'parts',
    alternatingRoles: quirks['alternating_roles'] === true,
    requiredToolChoice: textAt(quirks, 'required_tool_choice') ?? 'required',
    toolCallIdLength: numberAt(quirks, 'tool_call_id_length'),
    maxCompletionTokensModels: pattern === undefined ? undefined : new RegExp(pattern, 'u'),
    reasoningEcho: quirks['reasoning_echo'] === 'reasoning_content' ? 'reasoning_content' : undefined,
    structuredOutput: structured === 'json_object' || structured === 'none' ? structured : 'json_schema',
    seedField: textAt(quirks, 'seed_field') ?? 'seed',
  }
}

function textsOf(value: JsonObject | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
