import type { JsonObject } from '@agent-service/sdk'
import { bytesOf } from '@agent-service/sdk/testing'

/** An event of a stream. */
export const responseEvent = (event: JsonObject): Uint8Array =>
  bytesOf(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)

export const usage = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 3 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 18,
}

export const created: JsonObject = {
  type: 'response.created',
  response: { id: 'resp_1', model: 'model-1', status: 'in_progress', output: [] },
}

export const messageItem = (text: string, id = 'msg_1'): JsonObject => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})

export const callItem = (callId: string, name: string, argumentsText: string): JsonObject => ({
  id: `fc_${callId}`,
  type: 'function_call',
  status: 'completed',
  call_id: callId,
  name,
  arguments: argumentsText,
})

export const added = (index: number, item: JsonObject): JsonObject => ({ type: 'response.output_item.added', output_index: index, item })
export const done = (index: number, item: JsonObject): JsonObject => ({ type: 'response.output_item.done', output_index: index, item })
export const textDelta = (index: number, delta: string): JsonObject => ({
  type: 'response.output_text.delta',
  output_index: index,
  content_index: 0,
  delta,
})

/** An answer in one piece. */
export const wholeResponse = (output: readonly JsonObject[], changes: JsonObject = {}): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  model: 'model-1',
  status: 'completed',
  output,
  error: null,
  incomplete_details: null,
  usage,
  ...changes,
})

/** The last event of a stream that ended well. */
export const completed = (output: readonly JsonObject[]): JsonObject => ({ type: 'response.completed', response: wholeResponse(output) })

/** The events of an item, its texts in pieces of a few characters. */
export function itemEvents(index: number, item: JsonObject, pieceOf: () => number = () => 6): readonly JsonObject[] {
  const events: JsonObject[] = []
  const place = { output_index: index, item_id: String(item['id']) }
  const cut = (text: string, event: JsonObject): void => {
    for (let start = 0; start < text.length; ) {
      const length = pieceOf()
      events.push({ ...event, ...place, delta: text.slice(start, start + length) })
      start += length
    }
  }
  const list = (name: string): readonly JsonObject[] => (item[name] ?? []) as readonly JsonObject[]
  switch (item['type']) {
    case 'message':
      events.push(added(index, { ...item, status: 'in_progress', content: [] }))
      for (const [content, part] of list('content').entries()) {
        if (part['type'] === 'refusal') cut(String(part['refusal']), { type: 'response.refusal.delta', content_index: content })
        else cut(String(part['text']), { type: 'response.output_text.delta', content_index: content })
      }
      break
    case 'reasoning':
      events.push(added(index, { ...item, summary: [], content: [] }))
      for (const [section, part] of list('summary').entries())
        cut(String(part['text']), { type: 'response.reasoning_summary_text.delta', summary_index: section })
      if (list('summary').length === 0) {
        for (const [section, part] of list('content').entries())
          cut(String(part['text']), { type: 'response.reasoning_text.delta', content_index: section })
      }
      break
    case 'function_call':
      events.push(added(index, { ...item, status: 'in_progress', arguments: '' }))
      cut(String(item['arguments']), { type: 'response.function_call_arguments.delta' })
      events.push({ type: 'response.function_call_arguments.done', ...place, arguments: item['arguments'] ?? '' })
      break
    default:
      events.push(added(index, { ...item, status: 'in_progress' }))
  }
  return [...events, done(index, item)]
}
