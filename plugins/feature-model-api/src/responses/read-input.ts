import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelMessage, ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { checkFields } from '../fields/field-rules.js'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { readCall } from '../messages/call-arguments.js'
import { type Place, readAnswerTexts, readParts, readTexts } from '../messages/content-parts.js'
import { refuseManyParts } from '../messages/request-bounds.js'
import { createToolNames, type ToolNames } from '../messages/tool-names.js'
import { unsupportedParameterError } from '../openai-error.js'
import { isTextCall, isTextOutput, readTextCall, readTextOutput, textCallId } from './calls-as-text.js'
import { foreignItems, itemFields } from './responses-fields.js'

type AssistantPart = Extract<ModelMessage, { role: 'assistant' }>['content'][number]
type UserPart = Extract<ModelMessage, { role: 'user' }>['content'][number]

/** What is read so far. */
interface Conversation {
  readonly read: ModelMessage[]
  readonly names: ToolNames
  /** The name for the model of each call, by its id, and whether the call is told as text. */
  readonly calls: Map<string, { readonly name: string; readonly isText: boolean }>
  /** Results that are told as text. They follow the results of functions, which stand directly after their calls. */
  readonly told: UserPart[]
}

/**
 * The conversation of a request: its instructions, then its items. Consecutive items of the model
 * become one turn, consecutive results one message. Calls of tools that are no functions are told as text. Of reasoning items only the text is kept; their
 * opaque content belongs to the vendor. @throws `unsupported_parameter` naming the path.
 */
export function readInput(
  instructions: string | undefined,
  input: string | readonly JsonObject[],
  ignored: IgnoredFields,
  names: ToolNames = createToolNames([]),
): readonly ModelMessage[] {
  const read: ModelMessage[] =
    instructions === undefined || instructions === '' ? [] : [{ role: 'system', content: [{ type: 'text', text: instructions }] }]
  if (typeof input === 'string') return [...read, { role: 'user', content: [{ type: 'text', text: input }] }]
  refuseManyParts(input, 'input')
  const conversation: Conversation = { read, names, calls: new Map(), told: [] }
  for (const [index, item] of input.entries()) readItem(item, { at: `input[${index}]`, ignored }, conversation)
  tell(conversation)
  return read
}

function readItem(item: JsonObject, { at, ignored }: Place, conversation: Conversation): void {
  const { read, calls, names } = conversation
  const type = item['type'] ?? 'message'
  const rules = Object.hasOwn(itemFields, String(type)) ? itemFields[String(type)] : undefined
  if (rules) checkFields(item, rules, at, ignored)
  const isResult = type === 'function_call_output' || isTextOutput(type)
  if (isResult) {
    readResult(item, { at, ignored }, conversation)
    return
  }
  tell(conversation)
  if (isTextCall(type)) {
    const { id, name, part } = readTextCall(item, at, names)
    calls.set(id, { name, isText: true })
    addToTurn(read, [part])
    return
  }
  switch (type) {
    case 'message':
      readMessage(item, { at, ignored }, read)
      return
    case 'reasoning':
      addToTurn(read, [{ type: 'reasoning', text: reasoningText(item) }])
      return
    case 'function_call': {
      const call = callOf(item, at, names)
      calls.set(call.call_id, { name: call.name, isText: false })
      addToTurn(read, [call])
      return
    }
    case 'image_generation_call':
      ignored.add(`${at}.result`)
      return
    default:
      if (!foreignItems.has(String(type))) throw unsupportedParameterError.create({ param: `${at}.type`, reason: typeReason(type) })
      ignored.add(`${at}.${String(type)}`)
  }
}

const typeReason = (type: JsonValue): string =>
  type === 'item_reference'
    ? 'is item_reference, but items are not stored here. Send the items themselves; clients do so with store: false.'
    : 'must be message, reasoning, function_call or function_call_output.'

function readMessage(item: JsonObject, { at, ignored }: Place, read: ModelMessage[]): void {
  const { role, content } = item
  const place = { at: `${at}.content`, ignored }
  if (role === 'system' || role === 'developer') read.push({ role: 'system', content: readTexts(content, place) })
  else if (role === 'user') read.push({ role: 'user', content: readParts(content, place) })
  else if (role === 'assistant') addToTurn(read, readAnswerTexts(content, place))
  else throw unsupportedParameterError.create({ param: `${at}.role`, reason: 'must be system, developer, user or assistant.' })
}

function addToTurn(read: ModelMessage[], parts: readonly AssistantPart[]): void {
  const last = read.at(-1)
  if (last?.role !== 'assistant') read.push({ role: 'assistant', content: [...parts] })
  // The list was created here, so pushing is safe and avoids copying it for each item.
  else for (const part of parts) (last.content as AssistantPart[]).push(part)
}

function readResult(item: JsonObject, { at, ignored }: Place, { read, calls, told }: Conversation): void {
  const id = item['type'] === 'function_call_output' ? item['call_id'] : textCallId(item)
  const call = typeof id === 'string' ? calls.get(id) : undefined
  if (typeof id !== 'string' || call === undefined)
    throw unsupportedParameterError.create({ param: `${at}.call_id`, reason: 'does not match an earlier call.' })
  const { name, isText } = call
  if (isText) {
    for (const part of readTextOutput(item, name, { at, ignored })) told.push(part)
    return
  }
  const content = readParts(item['output'], { at: `${at}.output`, ignored })
  const result = { type: 'tool_result', call_id: id, provider_call_id: id, name, content } as const
  const last = read.at(-1)
  if (last?.role === 'tool') (last.content as ToolResultPart[]).push(result)
  else read.push({ role: 'tool', content: [result] })
}

/** Adds the results that are told as text, once no further result stands directly after them. */
function tell({ read, told }: Conversation): void {
  if (told.length > 0) read.push({ role: 'user', content: told.splice(0) })
}

function callOf({ call_id: id, name, namespace, arguments: text }: JsonObject, at: string, names: ToolNames): ToolCallPart {
  if (typeof id !== 'string' || typeof name !== 'string')
    throw unsupportedParameterError.create({ param: at, reason: 'must have a call_id and a name.' })
  return readCall(id, names.join({ name, ...namespaceOf(namespace, at) }), text)
}

function namespaceOf(namespace: JsonValue | undefined, at: string): { readonly namespace?: string } {
  if (namespace === undefined || namespace === null || namespace === '') return {}
  if (typeof namespace !== 'string') throw unsupportedParameterError.create({ param: `${at}.namespace`, reason: 'must be a text.' })
  return { namespace }
}

function reasoningText(item: JsonObject): string {
  const textOf = (list: JsonValue | undefined): string =>
    Array.isArray(list) ? list.map((part: JsonValue) => String((part as JsonObject | null)?.['text'] ?? '')).join('\n\n') : ''
  // Open models give the reasoning itself, others a summary of it.
  return textOf(item['summary']) || textOf(item['content'])
}
