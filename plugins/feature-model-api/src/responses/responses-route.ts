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
import { failInOwnNames } from './own-names.js'
import { readInput } from './read-input.js'
import { type ResponseHead, responseObject } from './response-object.js'
import {
  checkResponsesRequest,
  type ResponsesRequest,
  refuseStoredState,
  repeatedMembers,
  responsesRequestSchema,
  settingsOf,
  tokenRequestOf,
} from './responses-request.js'
import { streamResponse } from './stream-response.js'

/** Members that an agent decides itself. */
const agentSettings = ['tools', 'tool_choice', 'text', 'reasoning', 'max_output_tokens']

/**
 * `POST /v1/responses`: one plain inference through a model group, which is not stored, or one turn
 * of an agent.
 */
export function createResponsesRoute(dependencies: {
  readonly inference: Inference
  readonly clock: Clock
  readonly log: Logger
  readonly prepareAnswer: PrepareAnswer
}): HttpRoute {
  const { inference, clock, log, prepareAnswer } = dependencies
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
    async handle(request) {
      const { body, signal } = request
      requireModel(request, body.model)
      checkResponsesRequest(body)
      const head: ResponseHead = {
        id: `resp_${randomUUID().replaceAll('-', '')}`,
        createdAt: Math.floor(clock.now() / 1_000),
        model: body.model,
        repeated: repeatedMembers(body),
      }
      const forAgent = isAgent(body.model)
      const source = forAgent ? { turn: agentTurnOf(body, head) } : { call: inferenceOf(body, callerOf(request), inference) }
      const start = await prepareAnswer(request, source).catch(failInOwnNames)
      const headers = forAgent ? ignoredHeaders(body) : {}
      if (body.stream !== true)
        return { ...ok(responseObject(head, await finishedAnswer(start, { signal, clock }).catch(failInOwnNames))), headers }
      const output = await awaitFirstOutput(start(signal), clock).catch(failInOwnNames)
      return { status: 200, kind: 'events', headers, events: streamResponse(head, output, { signal, log }) }
    },
  })
}

function agentTurnOf(body: ResponsesRequest, { id }: ResponseHead): AgentTurn {
  refuseSettings(body, agentSettings)
  refuseStoredState(body, ['conversation'])
  const { previous_response_id: after, store } = body
  const messages = readInput(body.instructions ?? undefined, body.input as never)
  refuseForAgents(body, messages, 'input')
  return {
    model: body.model,
    messages,
    streamed: body.stream === true,
    ...(store !== false && { as: id }),
    ...(typeof after === 'string' && { after }),
  }
}

function inferenceOf(body: ResponsesRequest, userId: string, inference: Inference): InferenceRequest {
  const choice = readToolChoice(body.tool_choice as never)
  return {
    group: groupNamed(body.model, inference),
    messages: readInput(body.instructions ?? undefined, body.input as never),
    tools: (body.tools ?? []).map((tool, index) => readTool(tool as never, `tools[${index}]`)),
    ...(choice !== undefined && { toolChoice: choice }),
    ...(typeof body.parallel_tool_calls === 'boolean' && { parallelToolCalls: body.parallel_tool_calls }),
    ...readFormat((body.text as JsonObject | null | undefined)?.['format'], 'text.format'),
    ...tokenRequestOf(body),
    stream: body.stream === true,
    ...(body.stream === true && { restarts: 'never' }),
    settings: settingsOf(body),
    exact: true,
    attribution: { userId },
  }
}
