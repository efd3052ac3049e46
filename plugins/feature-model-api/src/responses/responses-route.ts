import { randomUUID } from 'node:crypto'
import type { JsonObject, Logger } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, type RouteRequest, type RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Inference, InferenceRequest } from '@agent-service/sdk/services/inference'
import { previousResponseError } from '../agents/agent-errors.js'
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
import { createToolNames, type ToolNames } from '../messages/tool-names.js'
import { failInOwnNames } from './own-names.js'
import { readInput } from './read-input.js'
import { type ResponseHead, responseObject } from './response-object.js'
import {
  checkResponsesRequest,
  type ResponsesRequest,
  refuseStoredState,
  refuseTokenOutput,
  repeatedMembers,
  responsesRequestSchema,
  settingsOf,
  tokenRequestOf,
} from './responses-request.js'
import { streamResponse } from './stream-response.js'

interface RouteDependencies {
  readonly inference: Inference
  readonly clock: Clock
  readonly log: Logger
  readonly prepareAnswer: PrepareAnswer
}

/** Members that an agent decides itself. */
const agentSettings = ['tools', 'tool_choice', 'text', 'reasoning', 'max_output_tokens']

/**
 * `POST /v1/responses`: one plain inference through a model group, which is not stored, or one turn
 * of an agent.
 */
export function createResponsesRoute(dependencies: RouteDependencies): HttpRoute {
  return defineRoute({
    ...answerRoute,
    path: '/v1/responses',
    operationId: 'createResponse',
    summary: 'Create a response with a model group or an agent',
    description:
      'With a model group, answers are not stored: send the whole conversation as `input`. With `agent/<handle>`, the conversation is one chat of the caller, and `previous_response_id` continues it. An interrupted stream ends with `response.failed`.',
    body: { kind: 'json', schema: responsesRequestSchema, limit: maxRequestBytes, illFormedTexts: 'repair' },
    errors: [...answerErrors, previousResponseError],
    answers: answersOf('Response', 'The response, or a stream of its events.', { id: 'resp_1', object: 'response' }),
    handle: (request) => namingIgnored((ignored) => answer(request, ignored, dependencies)),
  })
}

async function answer(
  request: RouteRequest<unknown, unknown, ResponsesRequest>,
  ignored: IgnoredFields,
  { inference, clock, log, prepareAnswer }: RouteDependencies,
): Promise<RouteResponse> {
  const { signal } = request
  requireModel(request, request.body.model)
  const body = withoutNoLimits(request.body, { positive: ['max_output_tokens'] }, ignored)
  checkResponsesRequest(body, ignored)
  const head: ResponseHead = {
    id: `resp_${randomUUID().replaceAll('-', '')}`,
    createdAt: Math.floor(clock.now() / 1_000),
    model: body.model,
    repeated: repeatedMembers(body),
    names: createToolNames((body.tools ?? []) as readonly JsonObject[]),
  }
  return respond(
    request,
    {
      source: isAgent(body.model)
        ? { turn: agentTurnOf(body, head, ignored) }
        : { call: inferenceOf(body, { userId: callerOf(request), inference, ignored, names: head.names }) },
      whole: (finished) => responseObject(head, finished),
      stream: (output) => streamResponse(head, output, { signal, log }),
      fail: failInOwnNames,
    },
    { clock, prepareAnswer },
  )
}

function agentTurnOf(body: ResponsesRequest, { id, names }: ResponseHead, ignored: IgnoredFields): AgentTurn {
  noteSampling(body, ignored)
  refuseSettings(body, agentSettings)
  refuseStoredState(body, ['conversation'])
  refuseTokenOutput(body)
  const { previous_response_id: after, store } = body
  const messages = readInput(body.instructions ?? undefined, body.input as never, ignored, names)
  refuseForAgents(body, messages, { at: 'input', ignored })
  return {
    model: body.model,
    messages,
    streamed: body.stream === true,
    ...(store !== false && { as: id }),
    ...(typeof after === 'string' && { after }),
  }
}

const inferenceOf = (
  body: ResponsesRequest,
  {
    userId,
    inference,
    ignored,
    names,
  }: { readonly userId: string; readonly inference: Inference; readonly ignored: IgnoredFields; readonly names: ToolNames },
): InferenceRequest =>
  plainCall(body, {
    own: {
      messages: readInput(body.instructions ?? undefined, body.input as never, ignored, names),
      settings: settingsOf(body, ignored),
      ...tokenRequestOf(body),
    },
    format: [(body.text as JsonObject | null | undefined)?.['format'], 'text.format'],
    ...{ userId, inference, ignored, names },
  })
