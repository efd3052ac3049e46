import type { JsonObject } from '@agent-service/sdk'
import { numberAt, textAt } from '@agent-service/sdk/provider-kit'
import { type ConnectionQuirks, patternAt, readConnectionQuirks } from '../connection/connection-quirks.js'

/**
 * How a brand differs from the plain completions protocol. Data of the catalogue, read leniently:
 * what is absent or of another type means the plain protocol.
 */
export interface CompletionsQuirks extends ConnectionQuirks {
  /** Replaces `/chat/completions`; `{model}` stands for the encoded model. */
  readonly path: string
  /** False: the brand cannot stream, the answer comes in one piece. */
  readonly streaming: boolean
  /** False: `stream_options` is never sent. */
  readonly streamOptions: boolean
  /** False: the brand refuses tools; calls and results of a conversation become text. */
  readonly tools: boolean
  /** `text`: message content is one string. */
  readonly content: 'parts' | 'text'
  /**
   * True: after the system messages, user and assistant must alternate, the user first and last.
   */
  readonly alternatingRoles: boolean
  /**
   * True: the assistant must follow a tool result; a short message is inserted if a user follows.
   */
  readonly assistantAfterTool: boolean
  /** The brand's word for a required tool call. */
  readonly requiredToolChoice: string
  /** Ids of tool calls have exactly this many letters and digits. */
  readonly toolCallIdLength: number | undefined
  /** Ids of tool calls have at most this many characters. */
  readonly toolCallIdMaxLength: number | undefined
  /** False: `$schema` in the parameters of a tool is left out. */
  readonly schemaKeyword: boolean
  /** Models that take `max_completion_tokens` and no `max_tokens`. */
  readonly maxCompletionTokensModels: RegExp | undefined
  /** The field in which the reasoning of assistant turns that called tools goes back. */
  readonly reasoningEcho: 'reasoning_content' | undefined
  /** The form in which a schema for the answer is sent. */
  readonly structuredOutput: 'json_schema' | 'json_object' | 'none'
  /** The name of the field for `seed`. */
  readonly seedField: string
  /** True: an answer may come in several choices, which are one. */
  readonly mergeChoices: boolean
}

/** Reads the quirks of a connection. */
export function readQuirks(quirks: JsonObject): CompletionsQuirks {
  const structured = textAt(quirks, 'structured_output')
  return {
    ...readConnectionQuirks(quirks),
    path: textAt(quirks, 'path') ?? '/chat/completions',
    streaming: quirks['streaming'] !== false,
    streamOptions: quirks['stream_options'] !== false,
    tools: quirks['tools'] !== false,
    content: quirks['content'] === 'text' ? 'text' : 'parts',
    alternatingRoles: quirks['alternating_roles'] === true,
    assistantAfterTool: quirks['assistant_after_tool'] === true,
    requiredToolChoice: textAt(quirks, 'required_tool_choice') ?? 'required',
    toolCallIdLength: numberAt(quirks, 'tool_call_id_length'),
    toolCallIdMaxLength: numberAt(quirks, 'tool_call_id_max_length'),
    schemaKeyword: quirks['schema_keyword'] !== false,
    maxCompletionTokensModels: patternAt(quirks, 'max_completion_tokens_models'),
    reasoningEcho: quirks['reasoning_echo'] === 'reasoning_content' ? 'reasoning_content' : undefined,
    structuredOutput: structured === 'json_object' || structured === 'none' ? structured : 'json_schema',
    seedField: textAt(quirks, 'seed_field') ?? 'seed',
    mergeChoices: quirks['merge_choices'] === true,
  }
}
