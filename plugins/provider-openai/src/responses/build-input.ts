import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelMessage, TextPart, ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { type ToolNames, textAt } from '@agent-service/sdk/provider-kit'
import { fittingCallId } from '../connection/call-ids.js'
import { opaqueItem, replayedItem } from './opaque-items.js'
import type { ResponsesQuirks } from './quirks.js'
import { inputPart, toolOutput } from './tool-result-output.js'

/** The longest id of a call that the protocol takes. */
const callIdLimit = 64

/** Dependencies of the conversation. */
export interface InputContext {
  readonly quirks: ResponsesQuirks
  /** Who is called: opaque parts of others are left out. */
  readonly vendor: string
  readonly names: ToolNames
}

/** A conversation in the protocol: instructions, then items. */
export interface ConversationInput {
  /** The system messages before the first other message. */
  readonly instructions: string
  readonly input: readonly JsonObject[]
}

type MessageOf<Role extends ModelMessage['role']> = Extract<ModelMessage, { readonly role: Role }>

/** Builds `instructions` and `input`. */
export function buildInput(messages: readonly ModelMessage[], context: InputContext): ConversationInput {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const start = first < 0 ? messages.length : first
  const instructions = messages.slice(0, start).map((message) => (message.role === 'system' ? textOf(message.content) : ''))
  const customCalls = customCallsOf(messages, context.vendor)
  return {
    instructions: instructions.filter((text) => text !== '').join('\n\n'),
    input: messages.slice(start).flatMap((message) => itemsOf(message, context, customCalls)),
  }
}

function itemsOf(message: ModelMessage, context: InputContext, customCalls: ReadonlySet<string>): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: context.quirks.instructionRole, content: textOf(message.content) }]
    case 'user':
      return [{ role: 'user', content: userContent(message) }]
    case 'assistant':
      return answerItems(message.content, context)
    case 'tool':
      return message.content.map((result) => resultItem(result, customCalls))
  }
}

type AnswerPart = MessageOf<'assistant'>['content'][number]

/**
 * The items of an answer. Without a part of its reasoning they have no ids: the vendor wants an item that it knows together with the reasoning
 * that led to it.
 */
function answerItems(parts: readonly AnswerPart[], context: InputContext): readonly JsonObject[] {
  const lacksReasoning = parts.some(
    (part) => part.type === 'reasoning' && opaqueItem(part.opaque, context.vendor) && assistantItems(part, context).length === 0,
  )
  const quirks = lacksReasoning ? { ...context.quirks, itemIds: false } : context.quirks
  return withoutTrailingReasoning(parts.flatMap((part) => assistantItems(part, { ...context, quirks })))
}

/**
 * An answer without reasoning that no other item of it follows. The vendor refuses such an item, and with it every later message of the chat:
 * the answer was cut after its reasoning, or what followed could not be kept.
 */
function withoutTrailingReasoning(items: readonly JsonObject[]): readonly JsonObject[] {
  return items.slice(0, items.findLastIndex((item) => textAt(item, 'type') !== 'reasoning') + 1)
}

const textOf = (parts: readonly TextPart[]): string => parts.map((part) => part.text).join('\n\n')

function userContent({ content }: MessageOf<'user'>): JsonValue {
  const parts = content.filter((part) => part.type !== 'text' || part.text !== '')
  const [only] = parts
  if (parts.length === 0) return ''
  return parts.length === 1 && only?.type === 'text' ? only.text : parts.map(inputPart)
}

function assistantItems(part: AnswerPart, context: InputContext): readonly JsonObject[] {
  const { vendor, quirks } = context
  const ids = quirks.itemIds
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [messageItem(part, opaqueItem(part.opaque, vendor), ids)]
    case 'reasoning': {
      // Reasoning of other vendors is dropped: the protocol takes only its own encrypted items.
      const item = opaqueItem(part.opaque, vendor)
      return item ? replayedItem(item, { ids }) : []
    }
    case 'tool_call': {
      const item = opaqueItem(part.opaque, vendor)
      return item ? replayedItem(item, { ids }) : [callItem(part, context)]
    }
    case 'image': {
      // The protocol takes back only pictures that its own tool made.
      const item = opaqueItem(part.opaque, vendor)
      return item && part.data !== undefined ? replayedItem({ ...item, result: part.data }, { ids }) : []
    }
  }
}

/** A message of the model. With its id it is the vendor's own item, else an equivalent one. */
function messageItem({ text }: TextPart, opaque: JsonObject | undefined, ids: boolean): JsonObject {
  const id = ids ? textAt(opaque, 'id') : undefined
  const phase = textAt(opaque, 'phase')
  const content =
    opaque?.['refused'] === true
      ? { type: 'refusal', refusal: text }
      : { type: 'output_text', text, ...(id !== undefined && { annotations: [] }) }
  return {
    ...(id !== undefined && { type: 'message', id, status: 'completed' }),
    role: 'assistant',
    content: [content],
    ...(phase !== undefined && { phase }),
  }
}

const callItem = (call: ToolCallPart, { names }: InputContext): JsonObject => ({
  type: 'function_call',
  call_id: wireCallId(call),
  name: names.wire(call.name),
  // Text that is not JSON would be refused; the result of such a call describes the problem.
  arguments: JSON.stringify(call.arguments),
})

const resultItem = (result: ToolResultPart, customCalls: ReadonlySet<string>): JsonObject => ({
  type: customCalls.has(result.call_id) ? 'custom_tool_call_output' : 'function_call_output',
  call_id: wireCallId(result),
  output: toolOutput(result),
})

const wireCallId = (part: ToolCallPart | ToolResultPart): string => fittingCallId(part.provider_call_id ?? part.call_id, callIdLimit)

/** Calls, by our id, that are not function calls; their results must match their type. */
function customCallsOf(messages: readonly ModelMessage[], vendor: string): ReadonlySet<string> {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? message.content.filter((part) => part.type === 'tool_call') : [],
  )
  return new Set(calls.filter((call) => opaqueItem(call.opaque, vendor)).map((call) => call.call_id))
}
