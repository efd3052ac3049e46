import type { JsonObject, JsonValue, Logger } from '@agent-service/sdk'
import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type { ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import { type Agents, agentUnknownError, type ConversationMessage, conversationUnknownError } from '@agent-service/sdk/services/agents'
import type { Inference, InferenceEvent } from '@agent-service/sdk/services/inference'
import type { Runs } from '@agent-service/sdk/services/runs'
import { agentHandle, callerOf, modelsOf } from '../caller.js'
import { modelNotFoundError, unsupportedParameterError } from '../openai-error.js'
import { previousResponseError } from './agent-errors.js'
import { agentEvents } from './agent-events.js'
import { cancelOnDisconnect } from './cancel-on-disconnect.js'

/** A request to an agent. */
export interface AgentTurn {
  readonly model: string
  readonly messages: readonly ModelMessage[]
  readonly streamed: boolean
  /** The id of the response before, and of this one. */
  readonly after?: string
  readonly as?: string
}

/**
 * Runs a turn of an agent. The events are those of one inference, because the agent's tool calls
 * are not part of the answer.
 */
export type RunAgentTurn = (request: Pick<RouteRequest, 'principal' | 'signal'>, turn: AgentTurn) => AsyncIterable<InferenceEvent>

/** `agents` is undefined if the deployment has none. */
export function createRunAgentTurn(dependencies: {
  readonly agents: Agents | undefined
  readonly runs: Pick<Runs, 'get' | 'cancel'> | undefined
  readonly inference: Inference
  readonly log: Logger
}): RunAgentTurn {
  const { agents, runs, inference, log } = dependencies
  return async function* (request, { model, messages, streamed, after, as }) {
    const { signal } = request
    const userId = callerOf(request)
    const unknown = async () => modelNotFoundError.create({ model, known: await modelsOf(userId, { agents, inference }) })
    if (!agents || !runs) throw await unknown()
    try {
      const turn = {
        ...{ userId, agent: agentHandle(model), messages: messages.map(conversationMessage) },
        ...(after !== undefined && { after }),
        ...(as !== undefined && { as }),
        // Text that was sent cannot be withdrawn.
        ...(streamed && { restarts: 'never' as const }),
      }
      yield* agentEvents(cancelOnDisconnect(agents.converse(turn, { signal }), { runs, userId, log }), { streamed })
    } catch (error) {
      if (agentUnknownError.isInstance(error)) throw await unknown()
      if (conversationUnknownError.isInstance(error)) throw previousResponseError.create({ id: after ?? '' })
      throw error
    }
  }
}

/**
 * @throws `unsupported_parameter` for tool calls and tool results, which only the agent itself can
 * have.
 */
function conversationMessage(message: ModelMessage, index: number): ConversationMessage {
  const refuse = () =>
    unsupportedParameterError.create({
      param: `messages[${index}]`,
      reason: 'belongs to a tool: an agent has its own tools and keeps their results. Send only the messages of user and assistant.',
    })
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: message.content }
    case 'tool':
      throw refuse()
    case 'assistant':
      if (message.content.some(({ type }) => type === 'tool_call')) throw refuse()
      return { role: 'assistant', content: message.content.filter((part) => part.type === 'text') }
  }
}

/** The protocols' defaults, which have no effect. */
const defaultValues: Readonly<Record<string, readonly JsonValue[]>> = {
  temperature: [1],
  top_p: [1],
  frequency_penalty: [0],
  presence_penalty: [0],
  tool_choice: ['auto', 'none'],
}

/**
 * An agent has its own model, settings and tools. @throws `unsupported_parameter` for the first of
 * these members with another value than the default, which would otherwise be ignored silently.
 */
export function refuseSettings(body: Readonly<Record<string, unknown>>, members: readonly string[]): void {
  for (const param of members) {
    const value = body[param] as JsonValue | undefined
    if (value === undefined || value === null || defaultValues[param]?.includes(value)) continue
    if (Array.isArray(value) && value.length === 0) continue
    if (isPlainText(value)) continue
    throw unsupportedParameterError.create({
      param,
      reason: 'is not supported for agents: an agent has its own model, settings and tools. Remove it, or change the agent.',
    })
  }
}

/** `response_format: {type: "text"}` and `text: {format: {type: "text"}}`. */
function isPlainText(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { type, format } = value as JsonObject
  return type === 'text' || (typeof format === 'object' && format !== null && isPlainText(format) && Object.keys(value).length === 1)
}
