import { type JsonObject, namedObject, type Static, type TSchema, Type } from '@agent-service/sdk'
import { maxMessages, maxTools } from '../messages/request-bounds.js'
import { unsupportedParameterError } from '../openai-error.js'

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))
const stopText = Type.String({ maxLength: 1_000 })
const message = namedObject('ChatCompletionMessage', {}, { additionalProperties: true, examples: [{ role: 'user', content: 'Hello!' }] })
const tool = namedObject('ChatCompletionTool', {}, { additionalProperties: true })

/**
 * A request of `POST /v1/chat/completions`. Unknown members are ignored, as clients of the protocol
 * expect.
 */
export const chatRequestSchema = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 200, description: 'A model group, or `agent/<handle>`.', examples: ['primary'] }),
    messages: Type.Array(message, { minItems: 1, maxItems: maxMessages }),
    tools: orNull(Type.Array(tool, { maxItems: maxTools })),
    tool_choice: Type.Optional(Type.Unknown()),
    response_format: Type.Optional(Type.Unknown()),
    stream: orNull(Type.Boolean()),
    stream_options: Type.Optional(Type.Unknown()),
    max_tokens: orNull(Type.Integer({ minimum: 1 })),
    max_completion_tokens: orNull(Type.Integer({ minimum: 1 })),
    temperature: orNull(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: orNull(Type.Number({ minimum: 0, maximum: 1 })),
    frequency_penalty: orNull(Type.Number({ minimum: -2, maximum: 2 })),
    presence_penalty: orNull(Type.Number({ minimum: -2, maximum: 2 })),
    seed: orNull(Type.Integer()),
    stop: orNull(Type.Union([stopText, Type.Array(stopText, { maxItems: 16 })])),
    reasoning_effort: orNull(Type.String({ maxLength: 50 })),
    n: orNull(Type.Integer()),
  },
  { additionalProperties: true },
)
export type ChatRequest = Static<typeof chatRequestSchema>

/** The settings of a request under the service's names. @throws `unsupported_parameter`. */
export function settingsOf(request: ChatRequest): JsonObject {
  if (request.n !== undefined && request.n !== null && request.n !== 1)
    throw unsupportedParameterError.create({ param: 'n', reason: 'must be 1: the service returns one answer.' })
  const stop = typeof request.stop === 'string' ? [request.stop] : request.stop
  const settings = {
    max_tokens: request.max_completion_tokens ?? request.max_tokens,
    temperature: request.temperature,
    top_p: request.top_p,
    frequency_penalty: request.frequency_penalty,
    presence_penalty: request.presence_penalty,
    seed: request.seed,
    stop,
    // The name in other protocol families.
    stop_sequences: stop,
    reasoning_effort: request.reasoning_effort,
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined && value !== null)) as JsonObject
}
