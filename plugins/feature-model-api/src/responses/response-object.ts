import type { JsonObject } from '@agent-service/sdk'
import type { ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceAnswer } from '@agent-service/sdk/services/inference'
import { argumentsText } from '../messages/call-arguments.js'
import { wireLogprob } from '../messages/logprobs.js'
import type { ToolNames } from '../messages/tool-names.js'

type Finished = InferenceAnswer

/** The members that all events of a response share. */
export interface ResponseHead {
  readonly id: string
  /** In seconds since 1970. */
  readonly createdAt: number
  readonly model: string
  /** Members of the request that the response repeats. */
  readonly repeated: JsonObject
  /** How the client names the functions. */
  readonly names: ToolNames
}

/**
 * A complete item of the output. Its id derives from its index, so that a stream and its end agree.
 */
export function outputItem(
  head: ResponseHead,
  part: Finished['content'][number],
  index: number,
  logprobs: readonly JsonObject[],
): JsonObject {
  switch (part.type) {
    case 'reasoning':
      return {
        type: 'reasoning',
        id: itemId(head, 'rs', index),
        summary: part.text === '' ? [] : [{ type: 'summary_text', text: part.text }],
      }
    case 'tool_call':
      return {
        type: 'function_call',
        id: itemId(head, 'fc', index),
        call_id: part.provider_call_id ?? part.call_id,
        ...head.names.split(part.name),
        arguments: argumentsText(part),
        status: 'completed',
      }
    case 'text':
      return {
        type: 'message',
        id: itemId(head, 'msg', index),
        role: 'assistant',
        status: 'completed',
        content: [outputText(part.text, logprobs)],
      }
    case 'image':
      return {
        type: 'image_generation_call',
        id: itemId(head, 'ig', index),
        status: 'completed',
        result: part.data ?? null,
        output_format: part.media_type.replace(/^image\//, ''),
      }
  }
}

/** A part of text of the output. */
export const outputText = (text: string, logprobs: readonly JsonObject[]): JsonObject => ({
  type: 'output_text',
  text,
  annotations: [],
  logprobs: [...logprobs],
})

/** The id of the item at an index of the output. */
export const itemId = (head: ResponseHead, prefix: 'rs' | 'fc' | 'msg' | 'ig', index: number): string =>
  `${prefix}_${head.id.slice('resp_'.length)}_${index}`

/** The items of the output. */
const outputOf = (head: ResponseHead, finished: Finished): readonly JsonObject[] =>
  finished.content.map((part, index) => outputItem(head, part, index, logprobsOf(finished, index)))

/** The log probabilities of a part of an answer, as the protocol has them. */
export const logprobsOf = ({ logprobs }: Finished, index: number): readonly JsonObject[] =>
  (logprobs?.find(({ part }) => part === index)?.tokens ?? []).map(wireLogprob)

/** The complete response; without `finished`, a response that has just begun. */
export function responseObject(head: ResponseHead, finished?: Finished): JsonObject {
  const isCut = finished?.stop_reason === 'length' || finished?.stop_reason === 'content_filter'
  return {
    id: head.id,
    object: 'response',
    created_at: head.createdAt,
    model: head.model,
    status: finished === undefined ? 'in_progress' : isCut ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: isCut ? { reason: finished.stop_reason === 'length' ? 'max_output_tokens' : 'content_filter' } : null,
    output: finished ? outputOf(head, finished) : [],
    ...head.repeated,
    usage: finished ? responsesUsage(finished.usage) : null,
    ...(finished?.fallback && { fallback: finished.fallback }),
  }
}

const responsesUsage = (usage: ModelUsage): JsonObject => ({
  input_tokens: usage.input_tokens,
  input_tokens_details: { cached_tokens: usage.cached_input_tokens },
  output_tokens: usage.output_tokens,
  output_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
  total_tokens: usage.input_tokens + usage.output_tokens,
})
