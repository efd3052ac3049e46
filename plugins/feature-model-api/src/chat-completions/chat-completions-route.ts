import { randomUUID } from 'node:crypto'
import { type JsonObject, type Logger, named, Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Inference, InferenceRequest } from '@agent-service/sdk/services/inference'
import {
  budgetExceededError,
  credentialMissingError,
  credentialUnusableError,
  modelGroupUnusableError,
} from '@agent-service/sdk/services/inference'
import { agentRunFailedError, agentRunRefusedError, answerWithdrawnError } from '../agents/agent-errors.js'
import { ignoredHeaders, refuseSettings } from '../agents/agent-settings.js'
import type { AgentTurn } from '../agents/agent-turn.js'
import { finishedAnswer } from '../answers/finished-answer.js'
import type { PrepareAnswer } from '../answers/prepare-answer.js'
import { awaitFirstOutput } from '../await-first-output.js'
import { callerOf, entryScopes, groupNamed, isAgent, requireModel } from '../caller.js'
import { refuseForAgents } from '../fields/agent-fields.js'
import { maxRequestBytes } from '../messages/request-bounds.js'
import { readFormat, readTool, readToolChoice } from '../messages/tool-choice.js'
import { modelNotFoundError, unsupportedParameterError } from '../openai-error.js'
import { type AnswerHead, chatCompletion } from './chat-answer.js'
import { type ChatRequest, chatRequestSchema, checkChatRequest, settingsOf, tokenRequestOf } from './chat-request.js'
import { readChatMessages } from './read-chat-messages.js'
import { streamChat } from './stream-chat.js'

/** Members that an agent decides itself. */
const agentSettings = [
  ...['tools', 'tool_choice', 'functions', 'function_call', 'response_format', 'max_tokens', 'max_completion_tokens'],
  ...['stop', 'reasoning_effort'],
]

/**
 * `POST /v1/chat/completions`: one plain inference through a model group, or one turn of an agent.
 */
export function createChatCompletionsRoute(dependencies: {
  readonly inference: Inference
  readonly clock: Clock
  readonly log: Logger
  readonly prepareAnswer: PrepareAnswer
}): HttpRoute {
  const { inference, clock, log, prepareAnswer } = dependencies
  return defineRoute({
    method: 'POST',
    path: '/v1/chat/completions',
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion with a model group or an agent',
    description:
      'With a model group, messages and tools are the caller’s own, and tool calls are returned to the caller. With `agent/<handle>`, the request is a run of that agent, which has its own tools and settings; the conversation is one chat of the caller. With `stream`, the answer is a stream of chunks that ends with `[DONE]`. An interrupted stream ends with an `error` object instead.',
    tags: ['openai'],
    auth: 'user',
    actors: actorKinds,
    scope: entryScopes,
    rateClass: 'expensive',
    body: { kind: 'json', schema: chatRequestSchema, limit: maxRequestBytes },
    errors: [
      unsupportedParameterError,
      modelNotFoundError,
      agentRunRefusedError,
      agentRunFailedError,
      answerWithdrawnError,
      modelGroupUnusableError,
      credentialMissingError,
      credentialUnusableError,
      budgetExceededError,
    ],
    answers: {
      200: {
        description: 'The completion, or a stream of its chunks.',
        schema: named(
          'ChatCompletion',
          Type.Record(Type.String(), Type.Unknown(), { examples: [{ id: 'chatcmpl-1', object: 'chat.completion' }] }),
        ),
        contentType: 'text/event-stream',
        example: 'data: [DONE]\n\n',
      },
    },
    async handle(request) {
      const { body, signal } = request
      requireModel(request, body.model)
      checkChatRequest(body)
      const forAgent = isAgent(body.model)
      const source = forAgent ? { turn: agentTurnOf(body) } : { call: inferenceOf(body, callerOf(request), inference) }
      const start = await prepareAnswer(request, source)
      const head: AnswerHead = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(clock.now() / 1_000), model: body.model }
      const headers = forAgent ? ignoredHeaders(body) : {}
      if (body.stream !== true) return { ...ok(chatCompletion(head, await finishedAnswer(start, { signal, clock }))), headers }
      // An inference that fails before its first output gets an error status, which clients know
      // how to retry.
      const output = await awaitFirstOutput(start(signal), clock)
      const includeUsage = (body.stream_options as JsonObject | null | undefined)?.['include_usage'] === true
      return { status: 200, kind: 'events', headers, events: streamChat(head, output, { includeUsage, signal, log }) }
    },
  })
}

function agentTurnOf(body: ChatRequest): AgentTurn {
  refuseSettings(body, agentSettings)
  const messages = readChatMessages(body.messages as never)
  refuseForAgents(body, messages, 'messages')
  return { model: body.model, messages, streamed: body.stream === true }
}

function inferenceOf(body: ChatRequest, userId: string, inference: Inference): InferenceRequest {
  const choice = readToolChoice(body.tool_choice as never)
  return {
    group: groupNamed(body.model, inference),
    messages: readChatMessages(body.messages as never),
    tools: (body.tools ?? []).map((tool, index) => readTool(tool as never, `tools[${index}]`)),
    ...(choice !== undefined && { toolChoice: choice }),
    ...(typeof body.parallel_tool_calls === 'boolean' && { parallelToolCalls: body.parallel_tool_calls }),
    ...readFormat(body.response_format as never, 'response_format'),
    ...tokenRequestOf(body),
    stream: body.stream === true,
    ...(body.stream === true && { restarts: 'never' }),
    settings: settingsOf(body),
    exact: true,
    attribution: { userId },
  }
}
