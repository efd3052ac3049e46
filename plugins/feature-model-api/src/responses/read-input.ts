import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type {
  FilePart,
  ImagePart,
  ModelMessage,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '@agent-service/sdk/contracts/provider-adapter'
import { checkedObject, checkFields } from '../fields/field-rules.js'
import { readCall } from '../messages/call-arguments.js'
import { readDetail, readFile, readImage } from '../messages/media.js'
import { refuseManyParts } from '../messages/request-bounds.js'
import { unsupportedParameterError } from '../openai-error.js'
import { itemFields, partFields } from './responses-fields.js'

type AssistantPart = Extract<ModelMessage, { role: 'assistant' }>['content'][number]

/**
 * The conversation of a request: its instructions, then its items. Consecutive items of the model
 * become one turn, consecutive results one message. Of reasoning items only the text is kept; their
 * opaque content belongs to the vendor. @throws `unsupported_parameter` naming the path.
 */
export function readInput(instructions: string | undefined, input: string | readonly JsonObject[]): readonly ModelMessage[] {
  const read: ModelMessage[] = instructions === undefined ? [] : [{ role: 'system', content: [{ type: 'text', text: instructions }] }]
  if (typeof input === 'string') return [...read, { role: 'user', content: [{ type: 'text', text: input }] }]
  refuseManyParts(input, 'input')
  const names = new Map<string, string>()
  for (const [index, item] of input.entries()) readItem(item, `input[${index}]`, read, names)
  return read
}

function readItem(item: JsonObject, at: string, read: ModelMessage[], names: Map<string, string>): void {
  const type = item['type'] ?? 'message'
  const rules = Object.hasOwn(itemFields, String(type)) ? itemFields[String(type)] : undefined
  if (rules) checkFields(item, rules, at)
  switch (type) {
    case 'message':
      readMessage(item, at, read)
      return
    case 'reasoning':
      addToTurn(read, [{ type: 'reasoning', text: reasoningText(item) }])
      return
    case 'function_call': {
      const call = callOf(item, at)
      names.set(call.call_id, call.name)
      addToTurn(read, [call])
      return
    }
    case 'function_call_output':
      readResult(item, at, read, names)
      return
    default:
      throw unsupportedParameterError.create({
        param: `${at}.type`,
        reason: 'must be message, reasoning, function_call or function_call_output.',
      })
  }
}

function readMessage(item: JsonObject, at: string, read: ModelMessage[]): void {
  const { role, content } = item
  if (role === 'system' || role === 'developer') read.push({ role: 'system', content: textsIn(content, `${at}.content`) })
  else if (role === 'user') read.push({ role: 'user', content: userParts(content, `${at}.content`) })
  else if (role === 'assistant') addToTurn(read, textsIn(content, `${at}.content`))
  else throw unsupportedParameterError.create({ param: `${at}.role`, reason: 'must be system, developer, user or assistant.' })
}

function addToTurn(read: ModelMessage[], parts: readonly AssistantPart[]): void {
  const last = read.at(-1)
  if (last?.role !== 'assistant') read.push({ role: 'assistant', content: [...parts] })
  // The list was created here, so pushing is safe and avoids copying it for each item.
  else for (const part of parts) (last.content as AssistantPart[]).push(part)
}

function readResult(item: JsonObject, at: string, read: ModelMessage[], names: ReadonlyMap<string, string>): void {
  const { call_id: id, output } = item
  const name = typeof id === 'string' ? names.get(id) : undefined
  if (typeof id !== 'string' || name === undefined)
    throw unsupportedParameterError.create({ param: `${at}.call_id`, reason: 'does not match an earlier function_call.' })
  const content = typeof output === 'string' ? [{ type: 'text', text: output } as const] : userParts(output, `${at}.output`)
  const result = { type: 'tool_result', call_id: id, provider_call_id: id, name, content } as const
  const last = read.at(-1)
  if (last?.role === 'tool') (last.content as ToolResultPart[]).push(result)
  else read.push({ role: 'tool', content: [result] })
}

function callOf({ call_id: id, name, arguments: text }: JsonObject, at: string): ToolCallPart {
  if (typeof id !== 'string' || typeof name !== 'string')
    throw unsupportedParameterError.create({ param: at, reason: 'must have a call_id and a name.' })
  return readCall(id, name, text)
}

function reasoningText(item: JsonObject): string {
  const textOf = (list: JsonValue | undefined): string =>
    Array.isArray(list) ? list.map((part: JsonValue) => String((part as JsonObject | null)?.['text'] ?? '')).join('\n\n') : ''
  // Open models give the reasoning itself, others a summary of it.
  return textOf(item['summary']) || textOf(item['content'])
}

function textsIn(content: JsonValue | undefined, at: string): readonly TextPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw unsupportedParameterError.create({ param: at, reason: 'must be a text or a list of parts.' })
  return content.map((part, index) => {
    const { type, text, refusal } = checkedPart(part, `${at}[${index}]`)
    const words = type === 'refusal' ? refusal : text
    if (!['input_text', 'output_text', 'refusal'].includes(String(type)) || typeof words !== 'string')
      throw unsupportedParameterError.create({ param: `${at}[${index}]`, reason: 'must be a part of text here.' })
    return { type: 'text', text: words }
  })
}

function checkedPart(part: JsonValue, at: string): JsonObject {
  const type = typeof part === 'object' && part !== null ? String((part as JsonObject)['type']) : ''
  const rules = Object.hasOwn(partFields, type) ? partFields[type] : undefined
  // Another type is refused where the part is read, with the types that are possible there.
  return rules ? (checkedObject(part, rules, at) ?? {}) : ((part ?? {}) as JsonObject)
}

function userParts(content: JsonValue | undefined, at: string): readonly (TextPart | ImagePart | FilePart)[] {
  if (!Array.isArray(content)) return textsIn(content, at)
  return content.map((part, index) => {
    const { type, text, image_url: image, file_data: data, filename, detail } = checkedPart(part, `${at}[${index}]`)
    if (type === 'input_text' && typeof text === 'string') return { type: 'text', text }
    if (type === 'input_image')
      return { ...readImage(image, `${at}[${index}].image_url`), ...readDetail(detail, ['low', 'high', 'original'], `${at}[${index}]`) }
    if (type === 'input_file') return readFile(data, filename, `${at}[${index}].file_data`)
    throw unsupportedParameterError.create({ param: `${at}[${index}]`, reason: 'must be of type input_text, input_image or input_file.' })
  })
}
