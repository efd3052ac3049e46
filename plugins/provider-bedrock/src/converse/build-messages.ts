import type { JsonObject } from '@agent-service/sdk'
import type { FilePart, ModelMessage, TextPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { ToolNames } from '@agent-service/sdk/provider-kit'
import { createFileBlocks, imageBlock } from './media-blocks.js'
import { reasoningEcho } from './opaque-reasoning.js'
import { wireCallId } from './wire-names.js'

/** Dependencies of the messages. */
export interface MessageContext {
  /** Who is called: opaque parts of others are left out. */
  readonly vendor: string
  readonly names: ToolNames
  /** Results may report that their tool failed. */
  readonly status: boolean
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: readonly JsonObject[]
}

/** The content of `system`: the texts of the leading system messages, in order. */
export const buildSystem = (messages: readonly ModelMessage[]): readonly JsonObject[] =>
  messages.slice(0, leading(messages)).flatMap((message) => (message.role === 'system' ? message.content.flatMap(textBlocks) : []))

/** The number of leading system messages. */
function leading(messages: readonly ModelMessage[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system')
  return first < 0 ? messages.length : first
}

/** The prefix of a system text inside the conversation. */
export const laterSystemText = '<system>\n'

/**
 * The `messages` of a Converse request. Neighbours of one role become one message, since the
 * protocol wants turns: all results of a turn go together, with what the person said after them. A
 * message without content is left out.
 */
export function buildMessages(messages: readonly ModelMessage[], context: MessageContext): readonly JsonObject[] {
  const fileBlock = createFileBlocks()
  const turns: Turn[] = []
  for (const message of messages.slice(leading(messages))) {
    const turn = turnOf(message, context, fileBlock)
    if (turn.content.length === 0) continue
    const last = turns.at(-1)
    if (last?.role === turn.role) turns[turns.length - 1] = { role: turn.role, content: [...last.content, ...turn.content] }
    else turns.push(turn)
  }
  return turns.map(({ role, content }) => ({ role, content }))
}

type FileBlock = (part: FilePart) => JsonObject

function turnOf(message: ModelMessage, context: MessageContext, fileBlock: FileBlock): Turn {
  switch (message.role) {
    case 'system':
      // Instructions have only one position, before everything. A later one moved there would
      // change the cached prefix.
      return {
        role: 'user',
        content: message.content.flatMap((part) => textBlocks({ ...part, text: `${laterSystemText}${part.text}\n</system>` })),
      }
    case 'user':
      return { role: 'user', content: userBlocks(message.content, fileBlock) }
    case 'assistant':
      return { role: 'assistant', content: withoutTrailingReasoning(message.content.flatMap((part) => assistantBlocks(part, context))) }
    case 'tool':
      return { role: 'user', content: message.content.map((part) => ({ toolResult: toolResult(part, context, fileBlock) })) }
  }
}

function userBlocks(parts: Extract<ModelMessage, { role: 'user' }>['content'], fileBlock: FileBlock): readonly JsonObject[] {
  const blocks = parts.flatMap((part) => contentBlocks(part, fileBlock))
  // The protocol requires text with a document.
  const isAlone = blocks.some((block) => 'document' in block) && !blocks.some((block) => 'text' in block)
  return isAlone ? [...blocks, { text: 'See the document.' }] : blocks
}

function contentBlocks(part: ToolResultPart['content'][number], fileBlock: FileBlock): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part)
    case 'image':
      return [imageBlock(part)]
    case 'file':
      return [fileBlock(part)]
  }
}

/** A turn must not end with reasoning, nor consist of it. */
const withoutTrailingReasoning = (blocks: readonly JsonObject[]): readonly JsonObject[] =>
  blocks.slice(0, blocks.findLastIndex((block) => !('reasoningContent' in block)) + 1)

function assistantBlocks(
  part: Extract<ModelMessage, { role: 'assistant' }>['content'][number],
  { vendor, names }: MessageContext,
): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part)
    case 'reasoning': {
      const echo = reasoningEcho(part, vendor)
      return echo ? [echo] : []
    }
    case 'tool_call':
      return [{ toolUse: { toolUseId: wireCallId(part), name: names.wire(part.name), input: part.arguments } }]
    case 'image':
      // Models refuse images in their own turns; a note remains.
      return [{ text: '(an image)' }]
  }
}

function toolResult(part: ToolResultPart, { status }: MessageContext, fileBlock: FileBlock): JsonObject {
  const content = part.content.flatMap((entry) => contentBlocks(entry, fileBlock))
  return {
    toolUseId: wireCallId(part),
    content: content.length > 0 ? content : [{ text: '(no output)' }],
    ...(part.is_error === true && status && { status: 'error' }),
  }
}

/** Blank text blocks are refused. */
const textBlocks = ({ text }: TextPart): readonly JsonObject[] => (text.trim() === '' ? [] : [{ text }])
