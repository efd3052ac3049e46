import type { JsonObject } from '@agent-service/sdk'
import type {
  ImagePart,
  ModelMessage,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '@agent-service/sdk/contracts/provider-adapter'
import type { ToolNames } from '@agent-service/sdk/provider-kit'
import { contentBlocks, textBlocks } from './content-blocks.js'
import { callMembers, reasoningBlock, textMembers } from './opaque-blocks.js'
import { wireCallId } from './wire-names.js'

/** Dependencies of the messages. */
export interface MessageContext {
  /** Who is called: opaque parts of others are left out. */
  readonly vendor: string
  readonly names: ToolNames
  readonly unsignedThinking: boolean
}

/** One message on the wire. */
export interface WireMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly JsonObject[]
}

/** A conversation on the wire. */
export interface Conversation {
  /** The system messages before the first other message. */
  readonly system: readonly JsonObject[]
  /** The first is from the user, roles alternate, none is empty. */
  readonly messages: readonly WireMessage[]
}

/** The prefix of a system text inside the conversation. */
export const laterSystemText = '<system>\n'

/** Builds `system` and `messages`. */
export function buildConversation(messages: readonly ModelMessage[], context: MessageContext): Conversation {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const leading = first < 0 ? messages : messages.slice(0, first)
  const rest = first < 0 ? [] : messages.slice(first)
  const system = leading.flatMap((message) => (message.role === 'system' ? message.content.flatMap(({ text }) => textBlocks(text)) : []))
  const built = joinNeighbours(rest.map((message) => buildMessage(message, context)))
  const opened = built[0]?.role === 'user' ? built : [beginning, ...built]
  return { system, messages: opened.map((message, index) => finishMessage(message, index === opened.length - 1)) }
}

/** Inserted if a conversation does not begin with its user: the protocol requires that. */
const beginning: WireMessage = { role: 'user', content: [{ type: 'text', text: '(The conversation goes on.)' }] }

function buildMessage(message: ModelMessage, context: MessageContext): WireMessage {
  switch (message.role) {
    case 'system':
      // Instructions have only one position, before everything. A later one moved there would
      // change the cached prefix.
      return { role: 'user', content: message.content.flatMap(({ text }) => textBlocks(`${laterSystemText}${text}\n</system>`)) }
    case 'user':
      return { role: 'user', content: contentBlocks(message.content) }
    case 'assistant':
      return { role: 'assistant', content: assistantBlocks(message.content, context) }
    case 'tool':
      return { role: 'user', content: message.content.map(resultBlock) }
  }
}

function assistantBlocks(
  parts: readonly (TextPart | ReasoningPart | ToolCallPart | ImagePart)[],
  context: MessageContext,
): readonly JsonObject[] {
  const blocks = parts.flatMap((part) => assistantPart(part, context))
  // A message must not end with thinking.
  const end = blocks.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking')
  return blocks.slice(0, end + 1)
}

function assistantPart(part: TextPart | ReasoningPart | ToolCallPart | ImagePart, context: MessageContext): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part.text).map((block) => ({ ...block, ...textMembers(part, context.vendor) }))
    case 'reasoning': {
      const block = reasoningBlock(part, context.vendor, context)
      return block ? [block] : []
    }
    case 'tool_call':
      return [callBlock(part, context)]
    case 'image':
      return [{ type: 'text', text: '(an image)' }]
  }
}

const callBlock = (part: ToolCallPart, { names, vendor }: MessageContext): JsonObject => ({
  type: 'tool_use',
  id: wireCallId(part.provider_call_id ?? part.call_id),
  name: names.wire(part.name),
  // The protocol takes only JSON here; the result of such a call describes the problem.
  input: part.arguments,
  ...callMembers(part, vendor),
})

function resultBlock(result: ToolResultPart): JsonObject {
  const content = contentBlocks(result.content)
  return {
    type: 'tool_result',
    tool_use_id: wireCallId(result.provider_call_id ?? result.call_id),
    ...(content.length > 0 && { content: [...content] }),
    ...(result.is_error === true && { is_error: true }),
  }
}

/** Joins adjacent messages of one role and drops empty ones. */
function joinNeighbours(messages: readonly WireMessage[]): readonly WireMessage[] {
  const joined: WireMessage[] = []
  for (const message of messages) {
    if (message.content.length === 0) continue
    const last = joined.at(-1)
    if (last?.role === message.role) joined[joined.length - 1] = { role: last.role, content: [...last.content, ...message.content] }
    else joined.push(message)
  }
  return joined
}

/**
 * Results come first in their message; the last text of an answer that is to be continued must not
 * end in white space.
 */
function finishMessage({ role, content }: WireMessage, isLast: boolean): WireMessage {
  if (role === 'user') {
    const results = content.filter(({ type }) => type === 'tool_result')
    return { role, content: results.length === 0 ? content : [...results, ...content.filter(({ type }) => type !== 'tool_result')] }
  }
  const end = content.at(-1)
  if (!isLast || end?.['type'] !== 'text' || typeof end['text'] !== 'string') return { role, content }
  return { role, content: [...content.slice(0, -1), { ...end, text: end['text'].trimEnd() }] }
}
