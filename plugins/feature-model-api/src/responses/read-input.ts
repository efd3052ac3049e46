import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelMessage, ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { checkFields } from '../fields/field-rules.js'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { readCall } from '../messages/call-arguments.js'
import { type Place, readAnswerTexts, readParts, readTexts } from '../messages/content-parts.js'
import { refuseManyParts } from '../messages/request-bounds.js'
import { createToolNames, type ToolNames } from '../messages/tool-names.js'
import { unsupportedParameterError } from '../openai-error.js'
import { foreignItems, itemFields } from './responses-fields.js'

type AssistantPart = Extract<ModelMessage, { role: 'assistant' }>['content'][number]

/** What is read so far. */
interface Conversation {
  readonly read: ModelMessage[]
  readonly names: ToolNames
  /** The name for the model of each call, by its id. */
  readonly calls: Map<string, string>
}

/**
 * The conversation of a request: its instructions, then its items. Consecutive items of the model
 * become one turn, consecutive results one message. Of reasoning items only the text is kept; their
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
  const conversation: Conversation = { read, names, calls: new Map() }
  for (const [index, item] of input.entries()) readItem(item, { at: `input[${index}]`, ignored }, conversation)
  return read
}

function readItem(item: JsonObject, { at, ignored }: Place, conversation: Conversation): void {
  const { read, calls, names } = conversation
  const type = item['type'] ?? 'message'
  const rules = Object.hasOwn(itemFields, String(type)) ? itemFields[String(type)] : undefined
  if (rules) checkFields(item, rules, at, ignored)
  switch (type) {
    case 'message':
      readMessage(item, { at, ignored }, read)
      return
    case 'reasoning':
      addToTurn(read, [{ type: 'reasoning', text: reasoningText(item) }])
      return
    case 'function_call': {
      const call = callOf(item, at, names)
      calls.set(call.call_id, call.name)
      addToTurn(read, [call])
      return
    }
    case 'image_generation_call':
      ignored.add(`${at}.result`)
      return
    case 'function_call_output':
      readResult(item, { at, ignored }, conversation)
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

function readResult(item: JsonObject, { at, ignored }: Place, { read, calls }: Conversation): void {
  const { call_id: id, output } = item
  const name = typeof id === 'string' ? calls.get(id) : undefined
  if (typeof id !== 'string' || name === undefined)
    throw unsupportedParameterError.create({ param: `${at}.call_id`, reason: 'does not match an earlier function_call.' })
  const content = readParts(output, { at: `${at}.output`, ignored })
  const result = { type: 'tool_result', call_id: id, provider_call_id: id, name, content } as const
  const last = read.at(-1)
  if (last?.role === 'tool') (last.content as ToolResultPart[]).push(result)
  else read.push({ role: 'tool', content: [result] })
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
