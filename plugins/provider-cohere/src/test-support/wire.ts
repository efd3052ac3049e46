import type { JsonObject } from '@agent-service/sdk'
import { bytesOf } from '@agent-service/sdk/testing'

/** One event of a stream. */
export const event = (data: JsonObject): Uint8Array => bytesOf(`event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`)

const message = (type: string, members: JsonObject, index?: number): JsonObject => ({
  type,
  ...(index !== undefined && { index }),
  delta: { message: members },
})

export const messageStart: JsonObject = { id: 'answer-1', ...message('message-start', { role: 'assistant', content: [], tool_calls: [] }) }
export const contentStart = (index: number, content: JsonObject): JsonObject => message('content-start', { content }, index)
export const contentDelta = (index: number, content: JsonObject): JsonObject => message('content-delta', { content }, index)
export const contentEnd = (index: number): JsonObject => ({ type: 'content-end', index })
export const planDelta = (plan: string): JsonObject => message('tool-plan-delta', { tool_plan: plan })
export const callStart = (index: number, id: string, name: string): JsonObject =>
  message('tool-call-start', { tool_calls: { id, type: 'function', function: { name, arguments: '' } } }, index)
export const callDelta = (index: number, text: string): JsonObject =>
  message('tool-call-delta', { tool_calls: { function: { arguments: text } } }, index)
export const callEnd = (index: number): JsonObject => ({ type: 'tool-call-end', index })
export const citation = (index: number, citations: JsonObject): JsonObject => message('citation-start', { citations }, index)

export const usage: JsonObject = {
  billed_units: { input_tokens: 5, output_tokens: 6 },
  tokens: { input_tokens: 11, output_tokens: 7 },
  cached_tokens: 3,
}
export const messageEnd = (reason: string, more: JsonObject = { usage }): JsonObject => ({
  type: 'message-end',
  delta: { finish_reason: reason, ...more },
})
export const done = bytesOf('data: [DONE]\n\n')

/** A stream with a beginning and an end around its events. */
export const streamOf = (events: readonly JsonObject[], reason: string): readonly Uint8Array[] => [
  ...[messageStart, ...events, messageEnd(reason)].map(event),
  done,
]
