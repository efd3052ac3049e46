import type { JsonObject } from '@agent-service/sdk'
import { argumentsText, calledTool, type FamilyWire, halfOfArguments, sseOf } from './family-wire.js'

const message = (content: readonly JsonObject[], reason: string | null): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'model-1',
  content: [...content],
  stop_reason: reason,
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 7 },
})
const begins = (block: JsonObject): readonly JsonObject[] => [
  { type: 'message_start', message: message([], null) },
  { type: 'content_block_start', index: 0, content_block: block },
]
const delta = (data: JsonObject): JsonObject => ({ type: 'content_block_delta', index: 0, delta: data })
const text = (words: string): JsonObject => delta({ type: 'text_delta', text: words })
const json = (words: string): JsonObject => delta({ type: 'input_json_delta', partial_json: words })
const ends = (reason: string): readonly JsonObject[] => [
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
]
const error = (type: string, words: string): JsonObject => ({ type: 'error', error: { type, message: words } })
const callBegins = begins({ type: 'tool_use', id: 'toolu_1', name: calledTool.name, input: {} })

/** Anthropic messages. */
export const anthropicWire: FamilyWire = {
  protocol: 'anthropic-messages',
  adapter: 'adapter_beta',
  contentType: 'text/event-stream',
  text: sseOf(...begins({ type: 'text', text: '' }), text('Hello, ')),
  end: sseOf(text('world'), ...ends('end_turn')),
  halfCall: sseOf(...callBegins, json(halfOfArguments)),
  call: sseOf(...callBegins, json(argumentsText), ...ends('tool_use')),
  overloaded: sseOf(error('overloaded_error', 'Overloaded')),
  noMoney: sseOf(error('invalid_request_error', 'Your credit balance is too low to access the API.')),
  errorBody: (words) => JSON.stringify(error('api_error', words)),
  whole: JSON.stringify(message([{ type: 'text', text: 'Hello, world' }], 'end_turn')),
}
