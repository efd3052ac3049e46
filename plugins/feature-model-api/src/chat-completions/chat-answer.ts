import type { JsonObject } from '@agent-service/sdk'
import type { ModelUsage, StopReason, TokenLogprob } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceAnswer } from '@agent-service/sdk/services/inference'
import { argumentsText } from '../messages/call-arguments.js'
import { wireLogprob } from '../messages/logprobs.js'

export type Finished = InferenceAnswer

/** The members that all chunks of an answer share. */
export interface AnswerHead {
  readonly id: string
  /** In seconds since 1970. */
  readonly created: number
  readonly model: string
}

/** An answer in one piece. */
export function chatCompletion(head: AnswerHead, { content, stop_reason: stopReason, usage, logprobs, fallback }: Finished): JsonObject {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const reasoning = content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
  const calls = content.filter((part) => part.type === 'tool_call')
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...chatImages(content),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: call.provider_call_id ?? call.call_id,
        type: 'function',
        function: { name: call.name, arguments: argumentsText(call) },
      })),
    }),
  }
  return {
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message,
        logprobs: chatLogprobs(logprobs?.flatMap(({ tokens }) => tokens)),
        finish_reason: finishReason(stopReason, calls.length > 0),
      },
    ],
    usage: chatUsage(usage),
    ...(fallback && { fallback }),
  }
}

/** The member `images` of a message, as OpenRouter has it; none without pictures. */
export function chatImages(content: Finished['content']): JsonObject {
  const urls = content.flatMap((part) => (part.type === 'image' ? [part.url ?? `data:${part.media_type};base64,${part.data ?? ''}`] : []))
  return urls.length === 0 ? {} : { images: urls.map((url, index) => ({ type: 'image_url', index, image_url: { url } })) }
}

/** The member `logprobs` of a choice; refusals are content here. */
const chatLogprobs = (tokens: readonly TokenLogprob[] | undefined): JsonObject | null =>
  tokens === undefined ? null : { content: tokens.map(wireLogprob), refusal: null }

interface ChunkMembers {
  readonly finish?: string | null
  readonly logprobs?: readonly TokenLogprob[] | undefined
  /** Of the last chunk with a choice, as of an answer in one piece. */
  readonly fallback?: Finished['fallback'] | undefined
}

/** One chunk of a streamed answer. */
export const chatChunk = (head: AnswerHead, delta: JsonObject, { finish = null, logprobs, fallback }: ChunkMembers = {}): JsonObject => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, logprobs: chatLogprobs(logprobs), finish_reason: finish }],
  ...(fallback && { fallback }),
})

/** The chunk with the usage, for callers that requested it. */
export const usageChunk = (head: AnswerHead, usage: ModelUsage): JsonObject => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [],
  usage: chatUsage(usage),
})

/** The protocol's reason why the model stopped. */
export function finishReason(reason: StopReason, hasCalls: boolean): string {
  if (hasCalls) return 'tool_calls'
  if (reason === 'length') return 'length'
  return reason === 'content_filter' || reason === 'refusal' ? 'content_filter' : 'stop'
}

const chatUsage = (usage: ModelUsage): JsonObject => ({
  prompt_tokens: usage.input_tokens,
  completion_tokens: usage.output_tokens,
  total_tokens: usage.input_tokens + usage.output_tokens,
  prompt_tokens_details: { cached_tokens: usage.cached_input_tokens },
  completion_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
})
