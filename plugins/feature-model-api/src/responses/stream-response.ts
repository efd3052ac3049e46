import type { JsonObject, Logger } from '@agent-service/sdk'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceAnswer, InferenceEvent } from '@agent-service/sdk/services/inference'
import { wireLogprob } from '../messages/logprobs.js'
import { openAiErrorOf } from '../openai-error.js'
import { itemId, logprobsOf, outputItem, outputText, type ResponseHead, responseObject } from './response-object.js'

type Delta = Extract<ModelEvent, { part: number }>

/**
 * A streamed response: one item at a time, each opened before its deltas and closed after them. If
 * it is interrupted, it ends with `response.failed`, never as if it were complete.
 */
export async function* streamResponse(
  head: ResponseHead,
  events: AsyncIterable<InferenceEvent>,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const writer = createWriter(head)
  try {
    yield* writer.begin()
    for await (const event of events) {
      if (event.type === 'response.finished') {
        yield* writer.finish(event)
        return
      }
      if ('part' in event) yield* writer.delta(event)
    }
  } catch (error) {
    if (signal.aborted) throw error
    log.warn('A streamed response was interrupted.', { error })
    yield* writer.fail(error)
  }
}

interface OpenItem {
  readonly part: number
  readonly index: number
  readonly kind: 'text' | 'reasoning' | 'call'
  readonly callId: string
  readonly name: string
  text: string
}

function createWriter(head: ResponseHead) {
  const items: OpenItem[] = []
  let sequence = 0
  const send = (type: string, members: JsonObject): ServerSentEvent => {
    const data = JSON.stringify({ type, sequence_number: sequence, ...members })
    sequence += 1
    return { event: type, data }
  }
  const position = (item: OpenItem): JsonObject => ({ item_id: idOf(item), output_index: item.index })
  const idOf = ({ kind, index }: OpenItem): string => itemId(head, kind === 'text' ? 'msg' : kind === 'call' ? 'fc' : 'rs', index)

  function* open(item: OpenItem): Generator<ServerSentEvent> {
    const id = idOf(item)
    const began = { output_index: item.index }
    if (item.kind === 'call') {
      const named = head.names.split(item.name)
      const call = { type: 'function_call', id, call_id: item.callId, ...named, arguments: '', status: 'in_progress' }
      yield send('response.output_item.added', { ...began, item: call })
    } else if (item.kind === 'reasoning') {
      yield send('response.output_item.added', { ...began, item: { type: 'reasoning', id, summary: [] } })
      yield send('response.reasoning_summary_part.added', { ...position(item), summary_index: 0, part: { type: 'summary_text', text: '' } })
    } else {
      const message = { type: 'message', id, role: 'assistant', status: 'in_progress', content: [] }
      yield send('response.output_item.added', { ...began, item: message })
      yield send('response.content_part.added', { ...position(item), content_index: 0, part: outputText('', []) })
    }
  }

  function* close(item: OpenItem, complete: JsonObject, logprobs: readonly JsonObject[]): Generator<ServerSentEvent> {
    if (item.kind === 'call') {
      const called = { ...head.names.split(item.name), arguments: String(complete['arguments']) }
      yield send('response.function_call_arguments.done', { ...position(item), ...called })
    } else if (item.kind === 'reasoning') {
      yield send('response.reasoning_summary_text.done', { ...position(item), summary_index: 0, text: item.text })
      const part = { type: 'summary_text', text: item.text }
      yield send('response.reasoning_summary_part.done', { ...position(item), summary_index: 0, part })
    } else {
      yield send('response.output_text.done', { ...position(item), content_index: 0, text: item.text, logprobs: [...logprobs] })
      yield send('response.content_part.done', { ...position(item), content_index: 0, part: outputText(item.text, logprobs) })
    }
    yield send('response.output_item.done', { output_index: item.index, item: complete })
  }

  function* itemOf(event: Delta): Generator<ServerSentEvent, OpenItem> {
    const known = items.find(({ part }) => part === event.part)
    if (known) return known
    const kind = event.type === 'text.delta' ? 'text' : event.type === 'reasoning.delta' ? 'reasoning' : 'call'
    const started = event.type === 'tool_call.started' ? event : undefined
    const item: OpenItem = {
      part: event.part,
      index: event.part,
      kind,
      callId: started?.provider_call_id ?? '',
      name: started?.name ?? '',
      text: '',
    }
    items.push(item)
    yield* open(item)
    return item
  }

  return {
    *begin(): Generator<ServerSentEvent> {
      const response = responseObject(head)
      yield send('response.created', { response })
      yield send('response.in_progress', { response })
    },
    *delta(event: Delta): Generator<ServerSentEvent> {
      const item = yield* itemOf(event)
      if (event.type === 'tool_call.started') return
      const more = event.type === 'tool_call.delta' ? event.arguments_text : event.text
      item.text += more
      if (item.kind === 'call') yield send('response.function_call_arguments.delta', { ...position(item), delta: more })
      else if (item.kind === 'reasoning')
        yield send('response.reasoning_summary_text.delta', { ...position(item), summary_index: 0, delta: more })
      else {
        const logprobs = event.type === 'text.delta' ? (event.logprobs ?? []).map(wireLogprob) : []
        yield send('response.output_text.delta', { ...position(item), content_index: 0, delta: more, logprobs })
      }
    },
    *finish(finished: InferenceAnswer): Generator<ServerSentEvent> {
      for (const [index, part] of finished.content.entries()) {
        const logprobs = logprobsOf(finished, index)
        const complete = outputItem(head, part, index, logprobs)
        const item = items.find((known) => known.part === index)
        if (item) yield* close(item, complete, logprobs)
        else {
          // It arrived complete, without deltas.
          yield send('response.output_item.added', { output_index: index, item: complete })
          yield send('response.output_item.done', { output_index: index, item: complete })
        }
      }
      const response = responseObject(head, finished)
      yield send(response['status'] === 'incomplete' ? 'response.incomplete' : 'response.completed', { response })
    },
    *fail(error: unknown): Generator<ServerSentEvent> {
      const { message, code } = openAiErrorOf(error)['error'] as { readonly message: string; readonly code: string }
      yield send('response.failed', { response: { ...responseObject(head), status: 'failed', error: { code, message } } })
    },
  }
}
