import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelMessage, ReasoningPart, TextPart, ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { checkedObject, checkFields } from '../fields/field-rules.js'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { readCall } from '../messages/call-arguments.js'
import { type Place, readAnswerTexts, readParts, readTexts } from '../messages/content-parts.js'
import { refuseManyParts } from '../messages/request-bounds.js'
import { unsupportedParameterError } from '../openai-error.js'
import { calledFunctionFields, callFields, messageFields } from './chat-fields.js'

/** The calls of the conversation so far: the name of each, and the newest call of a function without an id of its own. */
interface Calls {
  readonly names: Map<string, string>
  readonly unnamed: Map<string, string>
}

/**
 * The conversation of a request. Consecutive tool results become one message, because all calls of
 * a turn are answered before the next turn. @throws `unsupported_parameter` naming the path.
 */
export function readChatMessages(messages: readonly JsonObject[], ignored: IgnoredFields): readonly ModelMessage[] {
  refuseManyParts(messages, 'messages')
  const read: ModelMessage[] = []
  const calls: Calls = { names: new Map(), unnamed: new Map() }
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`
    const role = message['role']
    checkMessage(message, { at, ignored })
    const named = nameOf(message, at)
    const content = { at: `${at}.content`, ignored }
    if (role === 'system' || role === 'developer') read.push({ role: 'system', ...named, content: readTexts(message['content'], content) })
    else if (role === 'user') read.push({ role: 'user', ...named, content: readParts(message['content'], content) })
    else if (role === 'assistant') read.push({ role: 'assistant', ...named, content: assistantParts(message, { at, ignored }, calls) })
    else addResult(read, resultOf(message, { at, ignored }, calls))
  }
  return read
}

function checkMessage(message: JsonObject, { at, ignored }: Place): void {
  const rules = Object.hasOwn(messageFields, String(message['role'])) ? messageFields[String(message['role'])] : undefined
  if (!rules) throw unsupportedParameterError.create({ param: `${at}.role`, reason: 'must be system, developer, user, assistant or tool.' })
  checkFields(message, rules, at, ignored)
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

function resultOf(message: JsonObject, { at, ignored }: Place, calls: Calls): ToolResultPart {
  const [id, name] = message['role'] === 'function' ? answeredFunction(message, at, calls) : answeredCall(message, at, calls)
  const content = message['content'] === null ? '' : message['content']
  return { type: 'tool_result', call_id: id, provider_call_id: id, name, content: readParts(content, { at: `${at}.content`, ignored }) }
}

function answeredCall(message: JsonObject, at: string, { names }: Calls): readonly [id: string, name: string] {
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
  return [id, name]
}

/** The call that a message of the role `function` answers: the newest one of its name. */
function answeredFunction(message: JsonObject, at: string, { unnamed }: Calls): readonly [id: string, name: string] {
  const { name = '' } = nameOf(message, at)
  const id = unnamed.get(name)
  if (id !== undefined) return [id, name]
  throw unsupportedParameterError.create({
    param: `${at}.name`,
    reason: 'does not match the function_call of an earlier assistant message.',
  })
}

function assistantParts(message: JsonObject, { at, ignored }: Place, known: Calls): readonly (TextPart | ReasoningPart | ToolCallPart)[] {
  const reasoning = message['reasoning_content']
  const content = message['content']
  const refusal = message['refusal']
  const calls = [...toolCallsOf(message, { at, ignored }), ...functionCallOf(message, { at, ignored }, known)]
  for (const { call_id: id, name } of calls) known.names.set(id, name)
  return [
    ...(typeof reasoning === 'string' && reasoning !== '' ? [{ type: 'reasoning', text: reasoning } as const] : []),
    ...(content === undefined || content === null || content === '' ? [] : readAnswerTexts(content, { at: `${at}.content`, ignored })),
    ...(typeof refusal === 'string' && refusal !== '' ? [{ type: 'text', text: refusal } as const] : []),
    ...calls,
  ]
}

function toolCallsOf({ tool_calls: calls }: JsonObject, { at, ignored }: Place): readonly ToolCallPart[] {
  return Array.isArray(calls) ? calls.map((call, index) => callOf(call, { at: `${at}.tool_calls[${index}]`, ignored })) : []
}

function callOf(call: JsonValue, { at, ignored }: Place): ToolCallPart {
  const { id, function: called } = checkedObject(call, callFields, at, ignored) ?? {}
  const { name, arguments: text } = checkedObject(called, calledFunctionFields, `${at}.function`, ignored) ?? {}
  if (typeof id !== 'string' || typeof name !== 'string')
    throw unsupportedParameterError.create({ param: at, reason: 'must be a function call with an id and a name.' })
  return readCall(id, name, text)
}

/** The one call of a message in the form that was there before `tool_calls`. It has no id, so it gets one from its place. */
function functionCallOf({ function_call: call }: JsonObject, { at, ignored }: Place, { unnamed }: Calls): readonly ToolCallPart[] {
  const called = checkedObject(call, calledFunctionFields, `${at}.function_call`, ignored)
  if (called === undefined) return []
  const { name, arguments: text } = called
  if (typeof name !== 'string') throw unsupportedParameterError.create({ param: `${at}.function_call`, reason: 'must have a name.' })
  const id = `call_of_${at.replaceAll(/\D/g, '')}`
  unnamed.set(name, id)
  return [readCall(id, name, text)]
}
