import { randomUUID } from 'node:crypto'
import type { JsonObject, Logger } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, type RouteRequest, type RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Inference, InferenceRequest } from '@agent-service/sdk/services/inference'
import { noteSampling, refuseSettings } from '../agents/agent-settings.js'
import type { AgentTurn } from '../agents/agent-turn.js'
import { answerErrors, answerRoute, answersOf, respond } from '../answers/answer-route.js'
import { plainCall } from '../answers/plain-call.js'
import type { PrepareAnswer } from '../answers/prepare-answer.js'
import { callerOf, isAgent, requireModel } from '../caller.js'
import { refuseForAgents } from '../fields/agent-fields.js'
import { type IgnoredFields, namingIgnored } from '../fields/ignored-fields.js'
import { withoutNoLimits } from '../fields/no-limits.js'
import { maxRequestBytes } from '../messages/request-bounds.js'
import { type AnswerHead, chatCompletion } from './chat-answer.js'
import {
  type ChatRequest,
  chatRequestSchema,
  checkChatRequest,
  limits,
  reasoningEffortOf,
  settingsOf,
  tokenRequestOf,
} from './chat-request.js'
import { inFunctionForm, offersFunctions, streamInFunctionForm } from './legacy-functions.js'
import { readChatMessages } from './read-chat-messages.js'
import { streamChat } from './stream-chat.js'

interface RouteDependencies {
  readonly inference: Inference
  readonly clock: Clock
  readonly log: Logger
  readonly prepareAnswer: PrepareAnswer
}

/** Members that an agent decides itself. */
const agentSettings = [
  ...['tools', 'tool_choice', 'functions', 'function_call', 'response_format', 'max_tokens', 'max_completion_tokens'],
  ...['stop', 'reasoning_effort', 'reasoning.effort'],
]

/**
 * `POST /v1/chat/completions`: one plain inference through a model group, or one turn of an agent.
 */
export function createChatCompletionsRoute(dependencies: RouteDependencies): HttpRoute {
  return defineRoute({
    ...answerRoute,
    path: '/v1/chat/completions',
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion with a model group or an agent',
    description:
      'With a model group, messages and tools are the caller’s own, and tool calls are returned to the caller. With `agent/<handle>`, the request is a run of that agent, which has its own tools and settings; the conversation is one chat of the caller. With `stream`, the answer is a stream of chunks that ends with `[DONE]`. An interrupted stream ends with an `error` object instead.',
    body: { kind: 'json', schema: chatRequestSchema, limit: maxRequestBytes, illFormedTexts: 'repair' },
    errors: answerErrors,
    answers: answersOf('ChatCompletion', 'The completion, or a stream of its chunks.', { id: 'chatcmpl-1', object: 'chat.completion' }),
    handle: (request) => namingIgnored((ignored) => answer(request, ignored, dependencies)),
  })
}

async function answer(
  request: RouteRequest<unknown, unknown, ChatRequest>,
  ignored: IgnoredFields,
  { inference, clock, log, prepareAnswer }: RouteDependencies,
): Promise<RouteResponse> {
  const { signal } = request
  requireModel(request, request.body.model)
  const body = withoutNoLimits(request.body, limits, ignored)
  checkChatRequest(body, ignored)
  const head: AnswerHead = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(clock.now() / 1_000), model: body.model }
  const includeUsage = (body.stream_options as JsonObject | null | undefined)?.['include_usage'] === true
  const isOfFunctions = offersFunctions(body)
  return respond(
    request,
    {
      source: isAgent(body.model)
        ? { turn: agentTurnOf(body, ignored) }
        : { call: inferenceOf(body, { userId: callerOf(request), inference, ignored }) },
      whole: (finished) => (isOfFunctions ? inFunctionForm(chatCompletion(head, finished)) : chatCompletion(head, finished)),
      stream: (output) => {
        const events = streamChat(head, output, { includeUsage, signal, log })
        return isOfFunctions ? streamInFunctionForm(events) : events
      },
    },
    { clock, prepareAnswer },
  )
}

function agentTurnOf(body: ChatRequest, ignored: IgnoredFields): AgentTurn {
  noteSampling(body, ignored)
  refuseSettings({ ...body, 'reasoning.effort': reasoningEffortOf(body) }, agentSettings)
  const messages = readChatMessages(body.messages as never, ignored)
  refuseForAgents(body, messages, { at: 'messages', ignored })
  return { model: body.model, messages, streamed: body.stream === true }
}

const inferenceOf = (
  body: ChatRequest,
  { userId, inference, ignored }: { readonly userId: string; readonly inference: Inference; readonly ignored: IgnoredFields },
): InferenceRequest =>
  plainCall(body, {
    own: { messages: readChatMessages(body.messages as never, ignored), settings: settingsOf(body), ...tokenRequestOf(body) },
    format: [body.response_format, 'response_format'],
    ...{ userId, inference, ignored },
  })
