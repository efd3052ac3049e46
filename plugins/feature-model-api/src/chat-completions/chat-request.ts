import { type JsonObject, named, namedObject, type Static, type TSchema, Type } from '@agent-service/sdk'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'
import { isAgent } from '../caller.js'
import { checkedObject, checkFields } from '../fields/field-rules.js'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { maxMessages, maxTools } from '../messages/request-bounds.js'
import { unsupportedParameterError } from '../openai-error.js'
import { chatFields, reasoningFields, streamOptionFields } from './chat-fields.js'

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))
const stopText = Type.String({ maxLength: 1_000 })
const message = namedObject('ChatCompletionMessage', {}, { additionalProperties: true, examples: [{ role: 'user', content: 'Hello!' }] })
const tool = namedObject('ChatCompletionTool', {}, { additionalProperties: true })

/**
 * A request of `POST /v1/chat/completions`. {@link checkChatRequest} refuses the members that it
 * does not name.
 */
export const chatRequestSchema = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 200, description: 'A model group, or `agent/<handle>`.', examples: ['primary'] }),
    messages: Type.Array(message, { minItems: 1, maxItems: maxMessages }),
    tools: orNull(Type.Array(tool, { maxItems: maxTools })),
    tool_choice: Type.Optional(Type.Unknown()),
    parallel_tool_calls: orNull(Type.Boolean()),
    response_format: Type.Optional(Type.Unknown()),
    stream: orNull(Type.Boolean()),
    stream_options: Type.Optional(Type.Unknown()),
    max_tokens: orNull(Type.Integer({ minimum: -1 })),
    max_completion_tokens: orNull(Type.Integer({ minimum: -1 })),
    temperature: orNull(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: orNull(Type.Number({ minimum: 0, maximum: 1 })),
    top_k: orNull(Type.Integer({ minimum: -1 })),
    min_p: orNull(Type.Number({ minimum: 0, maximum: 1 })),
    frequency_penalty: orNull(Type.Number({ minimum: -2, maximum: 2 })),
    presence_penalty: orNull(Type.Number({ minimum: -2, maximum: 2 })),
    seed: orNull(Type.Integer()),
    stop: orNull(Type.Union([stopText, Type.Array(stopText, { maxItems: 16 })])),
    reasoning_effort: orNull(Type.String({ maxLength: 50 })),
    reasoning: Type.Optional(Type.Unknown()),
    logprobs: orNull(Type.Boolean()),
    top_logprobs: orNull(Type.Integer({ minimum: 0, maximum: 20 })),
    logit_bias: orNull(named('LogitBias', Type.Record(Type.String(), Type.Number({ minimum: -100, maximum: 100 })))),
    n: orNull(Type.Integer()),
    functions: orNull(Type.Array(tool, { maxItems: maxTools })),
    function_call: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: true },
)
export type ChatRequest = Static<typeof chatRequestSchema>

/** Refuses members that would be lost, and notes those without effect. @throws `unsupported_parameter` naming the first. */
export function checkChatRequest(request: ChatRequest, ignored: IgnoredFields): void {
  const rules = isAgent(request.model) ? agentChatFields : chatFields
  checkFields(request, rules, '', ignored)
  checkedObject(request.reasoning, reasoningFields, 'reasoning', ignored)
  if (request.stream === true) checkedObject(request.stream_options, streamOptionFields, 'stream_options', ignored)
  else if (request.stream_options !== undefined && request.stream_options !== null) ignored.add('stream_options')
}

/** An agent ignores how its model samples, which is noted with the other sampling settings. */
const agentChatFields = { ...chatFields, repetition_penalty: 'carried' } as const

/** The settings of a request under the service's names. @throws `unsupported_parameter`. */
export function settingsOf(request: ChatRequest): JsonObject {
  const { max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens } = request
  if (typeof maxTokens === 'number' && typeof maxCompletionTokens === 'number' && maxTokens !== maxCompletionTokens)
    throw unsupportedParameterError.create({
      param: 'max_tokens',
      reason: 'stands beside another max_completion_tokens. Send one of them.',
    })
  const stop = (typeof request.stop === 'string' ? [request.stop] : request.stop)?.filter((text) => text !== '')
  const settings = {
    max_tokens: maxTokens === maxCompletionTokens ? undefined : maxTokens,
    max_completion_tokens: maxCompletionTokens,
    temperature: request.temperature,
    top_p: request.top_p,
    top_k: request.top_k,
    min_p: request.min_p,
    frequency_penalty: request.frequency_penalty,
    presence_penalty: request.presence_penalty,
    seed: request.seed,
    stop: stop && stop.length > 0 ? stop : undefined,
    reasoning_effort: effortOf(request),
  }
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  ) as JsonObject
}

/** The effort in `reasoning`, checked; `undefined` if it is absent. @throws `unsupported_parameter`. */
export function reasoningEffortOf({ reasoning }: ChatRequest): string | undefined {
  const effort = (reasoning as JsonObject | null | undefined)?.['effort']
  if (effort === undefined || effort === null || effort === '') return undefined
  if (typeof effort === 'string' && effort.length <= 50) return effort
  throw unsupportedParameterError.create({ param: 'reasoning.effort', reason: 'must be a word.' })
}

function effortOf(request: ChatRequest): string | null | undefined {
  const { reasoning_effort: own } = request
  const effort = reasoningEffortOf(request)
  if (effort === undefined || !own || effort === own) return effort ?? own
  throw unsupportedParameterError.create({ param: 'reasoning.effort', reason: 'stands beside another reasoning_effort. Send one of them.' })
}

/** The limits of a request that may be -1 for none. */
export const limits = { positive: ['max_tokens', 'max_completion_tokens'], others: ['top_k'] } as const

/** What a request asks about tokens. @throws `unsupported_parameter`. */
export function tokenRequestOf(request: ChatRequest): Pick<InferenceRequest, 'logprobs' | 'logitBias'> {
  const { logprobs, top_logprobs: top, logit_bias: bias } = request
  if (logprobs !== true && typeof top === 'number' && top > 0)
    throw unsupportedParameterError.create({ param: 'top_logprobs', reason: 'needs logprobs: true.' })
  return {
    ...(logprobs === true && { logprobs: { top: top ?? 0 } }),
    ...(bias && Object.keys(bias).length > 0 && { logitBias: bias }),
  }
}
