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
import { agentRunFailedError, agentRunRefusedError, answerWithdrawnError, previousResponseError } from '../agents/agent-errors.js'
import { type RunAgentTurn, refuseSettings } from '../agents/agent-turn.js'
import { awaitFirstOutput } from '../await-first-output.js'
import { callerOf, entryScopes, groupNamed, isAgent, requireModel } from '../caller.js'
import { maxRequestBytes } from '../chat-completions/chat-completions-route.js'
import { finishedAnswer } from '../finished-answer.js'
import { readFormat, readTool, readToolChoice } from '../messages/tool-choice.js'
import { modelNotFoundError, openAiError, unsupportedParameterError } from '../openai-error.js'
import { readInput } from './read-input.js'
import { type ResponseHead, responseObject } from './response-object.js'
import { type ResponsesRequest, refuseStoredState, responsesRequestSchema, settingsOf } from './responses-request.js'
import { streamResponse } from './stream-response.js'

/** Members that an agent decides itself. */
const agentSettings = ['tools', 'tool_choice', 'text', 'reasoning', 'max_output_tokens', 'temperature', 'top_p']

/**
 * `POST /v1/responses`: one plain inference through a model group, which is not stored, or one turn
 * of an agent.
 */
export function createResponsesRoute(dependencies: {
  readonly inference: Inference
  readonly clock: Clock
  readonly log: Logger
  readonly runAgentTurn: RunAgentTurn
}): HttpRoute {
  const { inference, clock, log, runAgentTurn } = dependencies
  return defineRoute({
    method: 'POST',
    path: '/v1/responses',
    operationId: 'createResponse',
    summary: 'Create a response with a model group or an agent',
    description:
      'With a model group, answers are not stored: send the whole conversation as `input`. With `agent/<handle>`, the conversation is one chat of the caller, and `previous_response_id` continues it. An interrupted stream ends with `response.failed`.',
    tags: ['openai'],
    auth: 'user',
    actors: actorKinds,
    scope: entryScopes,
    rateClass: 'expensive',
    body: { kind: 'json', schema: responsesRequestSchema, limit: maxRequestBytes },
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
      previousResponseError,
    ],
    answers: {
      200: {
        description: 'The response, or a stream of its events.',
        schema: named('Response', Type.Record(Type.String(), Type.Unknown(), { examples: [{ id: 'resp_1', object: 'response' }] })),
        contentType: 'text/event-stream',
        example: 'data: [DONE]\n\n',
      },
    },
    problemMembers: openAiError,
    async handle(request) {
      const { body, signal } = request
      requireModel(request, body.model)
      const head: ResponseHead = {
        id: `resp_${randomUUID().replaceAll('-', '')}`,
        createdAt: Math.floor(clock.now() / 1_000),
        model: body.model,
      }
      const events = isAgent(body.model)
        ? runAgentTurn(request, agentTurnOf(body, head))
        : inference.infer(inferenceOf(body, callerOf(request), inference), { signal })
      if (body.stream !== true) return ok(responseObject(head, await finishedAnswer(events)))
      return { status: 200, kind: 'events', events: streamResponse(head, await awaitFirstOutput(events, clock), { signal, log }) }
    },
  })
}

function agentTurnOf(body: ResponsesRequest, { id }: ResponseHead): Parameters<RunAgentTurn>[1] {
  refuseSettings(body, agentSettings)
  refuseStoredState(body, ['conversation'])
  const { previous_response_id: after, store } = body
  return {
    model: body.model,
    messages: readInput(body.instructions ?? undefined, body.input as never),
    streamed: body.stream === true,
    ...(store !== false && { as: id }),
    ...(typeof after === 'string' && { after }),
  }
}

function inferenceOf(body: ResponsesRequest, userId: string, inference: Inference): InferenceRequest {
  const choice = readToolChoice(body.tool_choice as never)
  const format = readFormat((body.text as JsonObject | null | undefined)?.['format'], 'text.format')
  return {
    group: groupNamed(body.model, inference),
    messages: readInput(body.instructions ?? undefined, body.input as never),
    tools: (body.tools ?? []).map((tool, index) => readTool(tool as never, `tools[${index}]`)),
    ...(choice !== undefined && { toolChoice: choice }),
    ...(format !== undefined && { responseSchema: format }),
    stream: body.stream === true,
    ...(body.stream === true && { restarts: 'never' }),
    settings: settingsOf(body),
    attribution: { userId },
  }
}
