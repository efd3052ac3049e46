import { type JsonObject, namedObject, type Static, type TSchema, Type } from '@agent-service/sdk'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'
import { checkedObject, checkFields } from '../fields/field-rules.js'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { maxMessages, maxTools } from '../messages/request-bounds.js'
import { unsupportedParameterError } from '../openai-error.js'
import { reasoningFields, responsesFields, streamOptionFields, textFields } from './responses-fields.js'

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))
const open = { additionalProperties: true }
const item = namedObject('ResponseInputItem', {}, { ...open, examples: [{ role: 'user', content: 'Hello!' }] })
const tool = namedObject('ResponseTool', {}, open)
const textFormat = namedObject('ResponseText', {}, open)
const reasoning = namedObject('ResponseReasoning', {}, open)

/**
 * A request of `POST /v1/responses`. {@link checkResponsesRequest} refuses the members that it does
 * not name.
 */
export const responsesRequestSchema = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 200, description: 'A model group, or `agent/<handle>`.', examples: ['primary'] }),
    input: Type.Union([Type.String({ examples: ['Hello!'] }), Type.Array(item, { minItems: 1, maxItems: maxMessages })]),
    instructions: orNull(Type.String()),
    tools: orNull(Type.Array(tool, { maxItems: maxTools })),
    tool_choice: Type.Optional(Type.Unknown()),
    parallel_tool_calls: orNull(Type.Boolean()),
    text: orNull(textFormat),
    reasoning: orNull(reasoning),
    stream: orNull(Type.Boolean()),
    max_output_tokens: orNull(Type.Integer({ minimum: -1 })),
    temperature: orNull(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: orNull(Type.Number({ minimum: 0, maximum: 1 })),
    top_logprobs: orNull(Type.Integer({ minimum: 0, maximum: 20 })),
    include: orNull(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })),
    stream_options: Type.Optional(Type.Unknown()),
    metadata: Type.Optional(Type.Unknown()),
    previous_response_id: orNull(Type.String({ maxLength: 200 })),
    conversation: Type.Optional(Type.Unknown()),
    background: orNull(Type.Boolean()),
    store: orNull(Type.Boolean()),
  },
  { additionalProperties: true },
)
export type ResponsesRequest = Static<typeof responsesRequestSchema>

/** Refuses members that would be lost, and notes those without effect. @throws `unsupported_parameter` naming the first. */
export function checkResponsesRequest(request: ResponsesRequest, ignored: IgnoredFields): void {
  checkFields(request, responsesFields, '', ignored)
  checkedObject(request.text, textFields, 'text', ignored)
  checkedObject(request.reasoning, reasoningFields, 'reasoning', ignored)
  if (request.stream === true) checkedObject(request.stream_options, streamOptionFields, 'stream_options', ignored)
  else if (request.stream_options !== undefined && request.stream_options !== null) ignored.add('stream_options')
  // What there is not cannot be included; clients ask for encrypted reasoning of every model.
  if (request.include?.some((included) => included !== tokenOutput)) ignored.add('include')
}

/** What agents do not include. @throws `unsupported_parameter`. */
export function refuseTokenOutput({ include }: ResponsesRequest): void {
  if (include?.includes(tokenOutput) === true)
    throw unsupportedParameterError.create({ param: 'include', reason: `must not be ${tokenOutput} for agents. Remove it.` })
}

const tokenOutput = 'message.output_text.logprobs'

/** What a request asks about tokens. */
export function tokenRequestOf({ include, top_logprobs: top }: ResponsesRequest): Pick<InferenceRequest, 'logprobs'> {
  const isAsked = include?.includes(tokenOutput) === true || (typeof top === 'number' && top > 0)
  return isAsked ? { logprobs: { top: top ?? 0 } } : {}
}

/** Members of the request that its response repeats. */
export function repeatedMembers(request: ResponsesRequest): JsonObject {
  return {
    metadata: (request.metadata ?? {}) as JsonObject,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    ...(typeof request.temperature === 'number' && { temperature: request.temperature }),
    ...(typeof request.top_p === 'number' && { top_p: request.top_p }),
    ...(typeof request.top_logprobs === 'number' && { top_logprobs: request.top_logprobs }),
    ...(typeof request.max_output_tokens === 'number' && { max_output_tokens: request.max_output_tokens }),
  }
}

/**
 * The settings of a request under the service's names. The answer is not stored, as if `store` were false.
 * @throws `unsupported_parameter` for references to stored answers.
 */
export function settingsOf(request: ResponsesRequest, ignored: IgnoredFields): JsonObject {
  refuseStoredState(request, ['previous_response_id', 'conversation'])
  if (request.store === true) ignored.add('store')
  const settings = {
    max_tokens: request.max_output_tokens,
    temperature: request.temperature,
    top_p: request.top_p,
    reasoning_effort: (request.reasoning as JsonObject | null | undefined)?.['effort'],
  }
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  ) as JsonObject
}

/** @throws `unsupported_parameter` for references to stored answers and for background work. */
export function refuseStoredState(request: ResponsesRequest, params: readonly ('previous_response_id' | 'conversation')[]): void {
  for (const param of params) {
    if (request[param] !== undefined && request[param] !== null)
      throw unsupportedParameterError.create({
        param,
        reason: 'is not supported: answers are not stored here. Send the whole conversation as input.',
      })
  }
  if (request.background === true) throw unsupportedParameterError.create({ param: 'background', reason: 'is not supported.' })
}
