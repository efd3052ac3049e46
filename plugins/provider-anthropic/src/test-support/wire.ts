import type { JsonObject } from '@agent-service/sdk'
import { bytesOf, type FaultWire } from '@agent-service/sdk/testing'

/** One event of a stream, named as the vendor names it. */
export const event = (data: JsonObject): Uint8Array => bytesOf(`event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`)

/** Events one after the other. */
export const streamOf = (...documents: readonly JsonObject[]): Uint8Array => Buffer.concat(documents.map(event))

/** The beginning of a message. */
export const messageStart = (usage: JsonObject = { input_tokens: 10, output_tokens: 1 }): JsonObject => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'model-1',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
})

/** A block in a stream: its beginning, one delta each, its end. */
export const block = (index: number, start: JsonObject, ...deltas: readonly JsonObject[]): readonly JsonObject[] => [
  { type: 'content_block_start', index, content_block: start },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]

/** A block of text in pieces. */
export const textBlock = (index: number, ...pieces: readonly string[]): readonly JsonObject[] =>
  block(index, { type: 'text', text: '' }, ...pieces.map((text) => ({ type: 'text_delta', text })))

/** A call whose arguments come in pieces. */
export const callBlock = (index: number, id: string, name: string, ...pieces: readonly string[]): readonly JsonObject[] =>
  block(
    index,
    { type: 'tool_use', id, name, input: {} },
    ...['', ...pieces].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  )

/** The end of a message. */
export const messageEnd = (reason: string, usage: JsonObject = { output_tokens: 7 }, more: JsonObject = {}): readonly JsonObject[] => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null, ...more }, usage },
  { type: 'message_stop' },
]

/** A message in one piece. */
export const message = (
  content: readonly JsonObject[],
  reason: string,
  usage: JsonObject = { input_tokens: 10, output_tokens: 7 },
): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'model-1',
  content: [...content],
  stop_reason: reason,
  stop_sequence: null,
  usage,
})

/** An error in a body and in a stream. */
export const wireError = (type: string, words: string): JsonObject => ({ type: 'error', error: { type, message: words } })

const [textBegins = {}, hello = {}, world = {}, textEnds = {}] = textBlock(0, 'Hello, ', 'world')

/** What the faults of an upstream are made of. */
export const faultWire: FaultWire = {
  contentType: 'text/event-stream',
  text: streamOf(messageStart(), { type: 'ping' }, textBegins, hello),
  end: streamOf(world, textEnds, ...messageEnd('end_turn')),
  halfCall: streamOf(messageStart(), ...callBlock(0, 'toolu_1', 'get_time', '{"timezone":').slice(0, -1)),
  overloaded: event(wireError('overloaded_error', 'Overloaded')),
  noMoney: event(wireError('invalid_request_error', 'Your credit balance is too low to access the API.')),
  errorBody: (words) => JSON.stringify(wireError('api_error', words)),
  whole: JSON.stringify(message([{ type: 'text', text: 'Hello, world' }], 'end_turn')),
}
