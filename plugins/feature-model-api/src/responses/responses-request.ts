import { type JsonObject, namedObject, type Static, type TSchema, Type } from '@agent-service/sdk'
import { maxMessages, maxTools } from '../messages/request-bounds.js'
import { unsupportedParameterError } from '../openai-error.js'

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))
const open = { additionalProperties: true }
const item = namedObject('ResponseInputItem', {}, { ...open, examples: [{ role: 'user', content: 'Hello!' }] })
const tool = namedObject('ResponseTool', {}, open)
const textFormat = namedObject('ResponseText', {}, open)
const reasoning = namedObject('ResponseReasoning', {}, open)

/**
 * A request of `POST /v1/responses`. Unknown members are ignored, as clients of the protocol
 * expect.
 */
export const responsesRequestSchema = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 200, description: 'A model group, or `agent/<handle>`.', examples: ['primary'] }),
    input: Type.Union([Type.String({ examples: ['Hello!'] }), Type.Array(item, { minItems: 1, maxItems: maxMessages })]),
    instructions: orNull(Type.String()),
    tools: orNull(Type.Array(tool, { maxItems: maxTools })),
    tool_choice: Type.Optional(Type.Unknown()),
    text: orNull(textFormat),
    reasoning: orNull(reasoning),
    stream: orNull(Type.Boolean()),
    max_output_tokens: orNull(Type.Integer({ minimum: 1 })),
    temperature: orNull(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: orNull(Type.Number({ minimum: 0, maximum: 1 })),
    previous_response_id: orNull(Type.String({ maxLength: 200 })),
    conversation: Type.Optional(Type.Unknown()),
    background: orNull(Type.Boolean()),
    store: orNull(Type.Boolean()),
  },
  { additionalProperties: true },
)
export type ResponsesRequest = Static<typeof responsesRequestSchema>

/**
 * The settings of a request under the service's names. @throws `unsupported_parameter`, also for
 * stored answers of plain inferences.
 */
export function settingsOf(request: ResponsesRequest): JsonObject {
  refuseStoredState(request, ['previous_response_id', 'conversation'])
  const settings = {
    max_tokens: request.max_output_tokens,
    temperature: request.temperature,
    top_p: request.top_p,
    reasoning_effort: (request.reasoning as JsonObject | null | undefined)?.['effort'],
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined && value !== null)) as JsonObject
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
