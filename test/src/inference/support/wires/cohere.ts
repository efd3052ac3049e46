import type { JsonObject } from '@agent-service/sdk'
import { argumentsText, calledTool, doneLine, type FamilyWire, halfOfArguments, sseOf } from './family-wire.js'

const message = (type: string, members: JsonObject, index?: number): JsonObject => ({
  type,
  ...(index !== undefined && { index }),
  delta: { message: members },
})
const start: JsonObject = { id: 'answer-1', ...message('message-start', { role: 'assistant', content: [], tool_calls: [] }) }
const text = (words: string): JsonObject => message('content-delta', { content: { text: words } }, 0)
const callDelta = (words: string): JsonObject => message('tool-call-delta', { tool_calls: { function: { arguments: words } } }, 0)
const ends = (reason: string): Buffer =>
  Buffer.concat([
    sseOf({ type: 'message-end', delta: { finish_reason: reason, usage: { tokens: { input_tokens: 11, output_tokens: 7 } } } }),
    doneLine,
  ])
const callBegins = [
  start,
  message('tool-call-start', { tool_calls: { id: 'call_1', type: 'function', function: { name: calledTool.name, arguments: '' } } }, 0),
]

/** Cohere chat. */
export const cohereWire: FamilyWire = {
  protocol: 'cohere-chat',
  adapter: 'adapter_epsilon',
  contentType: 'text/event-stream',
  text: sseOf(start, message('content-start', { content: { type: 'text', text: '' } }, 0), text('Hello, ')),
  end: Buffer.concat([sseOf(text('world'), { type: 'content-end', index: 0 }), ends('COMPLETE')]),
  halfCall: sseOf(...callBegins, callDelta(halfOfArguments)),
  call: Buffer.concat([sseOf(...callBegins, callDelta(argumentsText), { type: 'tool-call-end', index: 0 }), ends('TOOL_CALL')]),
  overloaded: sseOf({ type: 'message-end', delta: { finish_reason: 'ERROR' } }),
  noMoney: Buffer.from(`event: error\ndata: ${JSON.stringify({ message: 'You are limited to 1000 API calls / month.', code: 429 })}\n\n`),
  errorBody: (words) => JSON.stringify({ id: 'x', message: words }),
  whole: JSON.stringify({
    id: 'answer-1',
    message: { role: 'assistant', content: [{ type: 'text', text: 'Hello, world' }] },
    finish_reason: 'COMPLETE',
  }),
}
