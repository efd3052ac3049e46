import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ReasoningPart, TextPart, ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import {
  type ArgumentsJoiner,
  createArgumentsJoiner,
  isObject,
  listAt,
  objectAt,
  parseArguments,
  textAt,
} from '@agent-service/sdk/provider-kit'

/** A block of an answer so far. */
export interface AnswerBlock {
  /**
   * The block as it began. For an unknown block, and for an answer in one piece, the whole block.
   */
  readonly start: JsonObject
  readonly kind: 'text' | 'thinking' | 'tool_use' | 'other'
  /** Text, or readable thinking. */
  text: string
  signature: string
  /** The pieces of a call's arguments. */
  readonly joined: ArgumentsJoiner
  readonly citations: JsonValue[]
  /** Its part of the answer, once there is something to show. */
  part: number | undefined
  /** How much of a text that was withheld has been shown. */
  shown: number
  /** Nothing more comes. */
  ended: boolean
}

/** A block that has just begun; it may begin with content. */
export function openBlock(start: JsonObject): AnswerBlock {
  const type = textAt(start, 'type')
  const kind = type === 'text' || type === 'thinking' || type === 'tool_use' ? type : 'other'
  return {
    start,
    kind,
    text: (kind === 'text' ? textAt(start, 'text') : kind === 'thinking' ? textAt(start, 'thinking') : undefined) ?? '',
    signature: kind === 'thinking' ? (textAt(start, 'signature') ?? '') : '',
    joined: createArgumentsJoiner(),
    shown: 0,
    citations: [...listAt(start, 'citations')],
    part: undefined,
    ended: false,
  }
}

/** The arguments of a call: the received pieces, else the initial value. */
export function argumentsOf({ start, joined }: AnswerBlock): ReturnType<typeof parseArguments> {
  return joined.text === '' ? { arguments: objectAt(start, 'input') ?? {} } : parseArguments(joined.text)
}

/** The arguments of a call are incomplete or missing. Only meaningful if the answer was cut. */
export function isHalfCall(block: AnswerBlock): boolean {
  const parsed = argumentsOf(block)
  return 'invalid' in parsed || Object.keys(parsed.arguments).length === 0
}

/** The part of a text. */
export const textPart = ({ text, citations }: AnswerBlock, vendor: string): TextPart => ({
  type: 'text',
  text,
  ...(citations.length > 0 && { opaque: { vendor, data: { citations: [...citations] } } }),
})

/** The part of thinking. Without a signature it goes back only to brands that sign nothing. */
export function thinkingPart({ text, signature }: AnswerBlock, vendor: string, unsignedThinking: boolean): ReasoningPart {
  if (signature !== '') return { type: 'reasoning', text, opaque: { vendor, data: { type: 'thinking', signature } } }
  return { type: 'reasoning', text, ...(unsignedThinking && { opaque: { vendor, data: { type: 'thinking' } } }) }
}

/**
 * A block that only its vendor reads: encrypted thinking, the vendor's own tools and their results,
 * unknown types.
 */
export function otherPart({ start, joined }: AnswerBlock, vendor: string): ReasoningPart {
  const parsed = joined.text === '' ? undefined : parseArguments(joined.text)
  const input = parsed && 'arguments' in parsed ? { input: parsed.arguments } : {}
  return { type: 'reasoning', text: '', opaque: { vendor, data: { ...start, ...input } } }
}

/** The part of a call. */
export function callPart(block: AnswerBlock, means: { readonly id: string; readonly name: string; readonly vendor: string }): ToolCallPart {
  const parsed = argumentsOf(block)
  const caller = block.start['caller']
  // The default caller is the model itself. Any other caller must be sent back with the call.
  const opaque = isObject(caller) && caller['type'] !== 'direct' ? { opaque: { vendor: means.vendor, data: { caller } } } : {}
  const base = { type: 'tool_call', call_id: means.id, provider_call_id: means.id, name: means.name } as const
  return 'invalid' in parsed
    ? { ...base, arguments: {}, invalid_arguments: parsed.invalid, ...opaque }
    : { ...base, arguments: parsed.arguments, ...opaque }
}
