import type { JsonObject } from '@agent-service/sdk'
import { argumentsText, calledTool, type FamilyWire, halfOfArguments, sseOf } from './family-wire.js'

const created = { type: 'response.created', response: { id: 'resp_1', model: 'model-1', status: 'in_progress', output: [] } }
const textItem = (text: string): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const callItem = (text: string): JsonObject => ({
  id: 'fc_1',
  type: 'function_call',
  status: 'completed',
  call_id: 'call_1',
  name: calledTool.name,
  arguments: text,
})
const whole = (item: JsonObject): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  model: 'model-1',
  status: 'completed',
  output: [item],
  error: null,
  usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
})
const added = (item: JsonObject): JsonObject => ({ type: 'response.output_item.added', output_index: 0, item })
const endWith = (item: JsonObject): readonly JsonObject[] => [
  { type: 'response.output_item.done', output_index: 0, item },
  { type: 'response.completed', response: whole(item) },
]
const textDelta = (delta: string): JsonObject => ({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta })
const argumentsDelta = (delta: string): JsonObject => ({ type: 'response.function_call_arguments.delta', output_index: 0, delta })
const callBegins = [created, added({ ...callItem(''), status: 'in_progress' })]

/** Responses. */
export const responsesWire: FamilyWire = {
  protocol: 'responses',
  adapter: 'adapter_alpha',
  contentType: 'text/event-stream',
  text: sseOf(created, added({ ...textItem(''), status: 'in_progress', content: [] }), textDelta('Hello, ')),
  end: sseOf(textDelta('world'), ...endWith(textItem('Hello, world'))),
  halfCall: sseOf(...callBegins, argumentsDelta(halfOfArguments)),
  call: sseOf(...callBegins, argumentsDelta(argumentsText), ...endWith(callItem(argumentsText))),
  overloaded: sseOf({ type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'Too many' } } }),
  noMoney: sseOf({ type: 'error', error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'No credit is left.' } }),
  errorBody: (words) => JSON.stringify({ error: { message: words, type: 'made_up', param: null, code: null } }),
  whole: JSON.stringify(whole(textItem('Hello, world'))),
}
