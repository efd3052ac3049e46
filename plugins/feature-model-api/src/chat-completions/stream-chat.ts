import type { Logger } from '@agent-service/sdk'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { openAiErrorOf } from '../openai-error.js'
import { type AnswerHead, chatChunk, chatImages, finishReason, usageChunk } from './chat-answer.js'

/**
 * A streamed answer, chunk by chunk. If it is interrupted, it ends with an `error` object and
 * without `[DONE]`, never as if it were complete.
 */
export async function* streamChat(
  head: AnswerHead,
  events: AsyncIterable<InferenceEvent>,
  { includeUsage, signal, log }: { readonly includeUsage: boolean; readonly signal: AbortSignal; readonly log: Logger },
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const calls = new Map<number, number>()
  const send = (chunk: object): ServerSentEvent => ({ data: JSON.stringify(chunk) })
  try {
    yield send(chatChunk(head, { role: 'assistant', content: '' }))
    for await (const event of events) {
      switch (event.type) {
        case 'text.delta':
          yield send(chatChunk(head, { content: event.text }, { logprobs: event.logprobs }))
          break
        case 'reasoning.delta':
          yield send(chatChunk(head, { reasoning_content: event.text }))
          break
        case 'tool_call.started': {
          const index = calls.size
          calls.set(event.part, index)
          const call = { index, id: event.provider_call_id, type: 'function', function: { name: event.name, arguments: '' } }
          yield send(chatChunk(head, { tool_calls: [call] }))
          break
        }
        case 'tool_call.delta':
          yield send(
            chatChunk(head, { tool_calls: [{ index: calls.get(event.part) ?? 0, function: { arguments: event.arguments_text } }] }),
          )
          break
        case 'response.finished': {
          const images = chatImages(event.content)
          if ('images' in images) yield send(chatChunk(head, images))
          const hasCalls = event.content.some((part) => part.type === 'tool_call')
          yield send(chatChunk(head, {}, { finish: finishReason(event.stop_reason, hasCalls), fallback: event.fallback }))
          if (includeUsage) yield send(usageChunk(head, event.usage))
          yield { data: '[DONE]' }
          return
        }
      }
    }
  } catch (error) {
    if (signal.aborted) throw error
    log.warn('A streamed answer was interrupted.', { error })
    yield send(openAiErrorOf(error))
  }
}
