import type { Logger } from '@agent-service/sdk'
import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type { ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import { type Agents, agentUnknownError, type ConversationMessage, conversationUnknownError } from '@agent-service/sdk/services/agents'
import type { Inference, InferenceEvent } from '@agent-service/sdk/services/inference'
import type { Runs } from '@agent-service/sdk/services/runs'
import { agentHandle, callerOf, modelsOf } from '../caller.js'
import { modelNotFoundError, unsupportedParameterError } from '../openai-error.js'
import type { RequestIdentity } from '../retries/request-identity.js'
import type { TurnKeys } from '../retries/turn-keys.js'
import { previousResponseError } from './agent-errors.js'
import { agentEvents } from './agent-events.js'
import { cancelOnDisconnect, createRunFollowers } from './cancel-on-disconnect.js'

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
export type RunAgentTurn = (
  request: Pick<RouteRequest, 'principal'>,
  turn: AgentTurn & { readonly identity?: RequestIdentity | undefined },
  signal: AbortSignal,
) => AsyncIterable<InferenceEvent>

/** `agents` is undefined if the deployment has none. */
export function createRunAgentTurn(dependencies: {
  readonly agents: Agents | undefined
  readonly runs: Pick<Runs, 'get' | 'cancel'> | undefined
  readonly inference: Inference
  readonly turnKeys: TurnKeys
  readonly log: Logger
}): RunAgentTurn {
  const { agents, runs, inference, turnKeys, log } = dependencies
  const followers = createRunFollowers()
  return async function* (request, { model, messages, streamed, after, as, identity }, signal) {
    const userId = callerOf(request)
    const unknown = async () => modelNotFoundError.create({ model, known: await modelsOf(userId, { agents, inference }) })
    if (!agents || !runs) throw await unknown()
    const key = identity && (await turnKeys.keyOf(identity))
    const onCancel = (done: Promise<void>): void => {
      if (key !== undefined) turnKeys.cancelling(key, done)
    }
    try {
      const turn = {
        ...{ userId, agent: agentHandle(model), messages: messages.map(conversationMessage) },
        ...(after !== undefined && { after }),
        ...(as !== undefined && { as }),
        ...(key !== undefined && { key }),
        // Text that was sent cannot be withdrawn.
        ...(streamed && { restarts: 'never' as const }),
      }
      const events = cancelOnDisconnect(agents.converse(turn, { signal }), { runs, followers, userId, log, onCancel })
      yield* agentEvents(events, { streamed })
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
