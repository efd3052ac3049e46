import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type {
  FilePart,
  ImagePart,
  ModelMessage,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '@agent-service/sdk/contracts/provider-adapter'
import { checkedObject, checkFields, type FieldRules } from '../fields/field-rules.js'
import { readCall } from '../messages/call-arguments.js'
import { readDetail, readFile, readImage } from '../messages/media.js'
import { refuseManyParts } from '../messages/request-bounds.js'
import { unsupportedParameterError } from '../openai-error.js'
import { calledFunctionFields, callFields, fileFields, imageFields, messageFields, partFields } from './chat-fields.js'

/**
 * The conversation of a request. Consecutive tool results become one message, because all calls of
 * a turn are answered before the next turn. @throws `unsupported_parameter` naming the path.
 */
export function readChatMessages(messages: readonly JsonObject[]): readonly ModelMessage[] {
  refuseManyParts(messages, 'messages')
  const read: ModelMessage[] = []
  const names = new Map<string, string>()
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`
    const role = message['role']
    checkMessage(message, at)
    const named = nameOf(message, at)
    if (role === 'system' || role === 'developer')
      read.push({ role: 'system', ...named, content: textsIn(message['content'], `${at}.content`) })
    else if (role === 'user') read.push({ role: 'user', ...named, content: userParts(message['content'], `${at}.content`) })
    else if (role === 'assistant') {
      const content = assistantParts(message, at)
      for (const part of content) if (part.type === 'tool_call') names.set(part.call_id, part.name)
      read.push({ role: 'assistant', ...named, content })
    } else addResult(read, resultOf(message, at, names))
  }
  return read
}

function checkMessage(message: JsonObject, at: string): void {
  const rules = Object.hasOwn(messageFields, String(message['role'])) ? messageFields[String(message['role'])] : undefined
  if (!rules) throw unsupportedParameterError.create({ param: `${at}.role`, reason: 'must be system, developer, user, assistant or tool.' })
  checkFields(message, rules, at)
}

function nameOf({ name }: JsonObject, at: string): { readonly name?: string } {
  if (name === undefined || name === null) return {}
  if (typeof name !== 'string') throw unsupportedParameterError.create({ param: `${at}.name`, reason: 'must be a text.' })
  return { name }
}

function addResult(read: ModelMessage[], result: ToolResultPart): void {
  const last = read.at(-1)
  // The list was created here, so pushing is safe and avoids copying it for each result.
  if (last?.role === 'tool') (last.content as ToolResultPart[]).push(result)
  else read.push({ role: 'tool', content: [result] })
}

function resultOf(message: JsonObject, at: string, names: ReadonlyMap<string, string>): ToolResultPart {
  const id = message['tool_call_id']
  const name = typeof id === 'string' ? names.get(id) : undefined
  if (typeof id !== 'string' || name === undefined)
    throw unsupportedParameterError.create({
      param: `${at}.tool_call_id`,
      reason: 'does not match a call of an earlier assistant message.',
    })
  const { name: given } = nameOf(message, at)
  if (given !== undefined && given !== name)
    throw unsupportedParameterError.create({ param: `${at}.name`, reason: `must be “${name}”, the function that was called, or absent.` })
  return { type: 'tool_result', call_id: id, provider_call_id: id, name, content: textsIn(message['content'], `${at}.content`) }
}

function assistantParts(message: JsonObject, at: string): readonly (TextPart | ReasoningPart | ToolCallPart)[] {
  const reasoning = message['reasoning_content']
  const content = message['content']
  const calls = message['tool_calls']
  const refusal = message['refusal']
  return [
    ...(typeof reasoning === 'string' && reasoning !== '' ? [{ type: 'reasoning', text: reasoning } as const] : []),
    ...(content === undefined || content === null || content === '' ? [] : textsIn(content, `${at}.content`)),
    ...(typeof refusal === 'string' && refusal !== '' ? [{ type: 'text', text: refusal } as const] : []),
    ...(Array.isArray(calls) ? calls.map((call, index) => callOf(call, `${at}.tool_calls[${index}]`)) : []),
  ]
}

function callOf(call: JsonValue, at: string): ToolCallPart {
  const { id, function: called } = checkedObject(call, callFields, at) ?? {}
  const { name, arguments: text } = checkedObject(called, calledFunctionFields, `${at}.function`) ?? {}
  if (typeof id !== 'string' || typeof name !== 'string')
    throw unsupportedParameterError.create({ param: at, reason: 'must be a function call with an id and a name.' })
  return readCall(id, name, text)
}

/** A text, or a list of parts that are texts. */
function textsIn(content: JsonValue | undefined, at: string): readonly TextPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw unsupportedParameterError.create({ param: at, reason: 'must be a text or a list of parts.' })
  return content.map((part, index) => {
    const { type, text, refusal } = checkedPart(part, `${at}[${index}]`)
    const words = type === 'refusal' ? refusal : text
    if ((type !== 'text' && type !== 'refusal') || typeof words !== 'string')
      throw unsupportedParameterError.create({ param: `${at}[${index}]`, reason: 'must be a part of type text here.' })
    return { type: 'text', text: words }
  })
}

function userParts(content: JsonValue | undefined, at: string): readonly (TextPart | ImagePart | FilePart)[] {
  if (!Array.isArray(content)) return textsIn(content, at)
  return content.map((part, index) => userPart(checkedPart(part, `${at}[${index}]`), `${at}[${index}]`))
}

function checkedPart(part: JsonValue, at: string): JsonObject {
  const type = typeof part === 'object' && part !== null ? String((part as JsonObject)['type']) : ''
  const rules: FieldRules | undefined = Object.hasOwn(partFields, type) ? partFields[type] : undefined
  // Another type is refused where the part is read, with the types that are possible there.
  return rules ? (checkedObject(part, rules, at) ?? {}) : ((part ?? {}) as JsonObject)
}

function userPart(part: JsonObject, at: string): TextPart | ImagePart | FilePart {
  switch (part['type']) {
    case 'text':
      if (typeof part['text'] === 'string') return { type: 'text', text: part['text'] }
      break
    case 'image_url': {
      const given = part['image_url']
      const image = typeof given === 'string' ? { url: given } : checkedObject(given, imageFields, `${at}.image_url`)
      return { ...readImage(image?.['url'], `${at}.image_url`), ...readDetail(image?.['detail'], ['low', 'high'], `${at}.image_url`) }
    }
    case 'file': {
      const { file_data: data, filename } = checkedObject(part['file'], fileFields, `${at}.file`) ?? {}
      return readFile(data, filename, `${at}.file`)
    }
  }
  throw unsupportedParameterError.create({ param: at, reason: 'must be a part of type text, image_url or file.' })
}
