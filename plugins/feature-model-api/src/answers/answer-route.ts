import { type JsonObject, named, Type } from '@agent-service/sdk'
import { actorKinds, ok, type RouteRequest, type RouteResponse, type ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import {
  budgetExceededError,
  credentialMissingError,
  credentialUnusableError,
  type InferenceAnswer,
  type InferenceEvent,
  modelGroupUnusableError,
} from '@agent-service/sdk/services/inference'
import { agentRunFailedError, agentRunRefusedError, answerWithdrawnError } from '../agents/agent-errors.js'
import { awaitFirstOutput } from '../await-first-output.js'
import { entryScopes } from '../caller.js'
import { modelNotFoundError, unsupportedParameterError } from '../openai-error.js'
import { finishedAnswer } from './finished-answer.js'
import type { AnswerSource, PrepareAnswer } from './prepare-answer.js'

/** What both routes that answer a conversation declare. */
export const answerRoute = {
  method: 'POST',
  tags: ['openai'],
  auth: 'user',
  actors: actorKinds,
  scope: entryScopes,
  rateClass: 'expensive',
} as const

export const answerErrors = [
  unsupportedParameterError,
  modelNotFoundError,
  agentRunRefusedError,
  agentRunFailedError,
  answerWithdrawnError,
  modelGroupUnusableError,
  credentialMissingError,
  credentialUnusableError,
  budgetExceededError,
]

/** The whole answer, or a stream of its parts. */
export const answersOf = (name: string, description: string, example: JsonObject) => ({
  200: {
    description,
    schema: named(name, Type.Record(Type.String(), Type.Unknown(), { examples: [example] })),
    contentType: 'text/event-stream',
    example: 'data: [DONE]\n\n',
  },
})

/** An answer in the form of one protocol. */
export interface AnswerForm {
  readonly source: AnswerSource
  readonly whole: (finished: InferenceAnswer) => JsonObject
  readonly stream: (output: AsyncIterable<InferenceEvent>) => AsyncIterable<ServerSentEvent>
  /** Throws a failure as the protocol names it. Default: as it is. */
  readonly fail?: (error: unknown) => never
}

/**
 * Answers at once or as a stream. An answer that fails before its first output gets an error
 * status, which clients know how to retry.
 */
export async function respond(
  request: Pick<RouteRequest, 'principal' | 'headers' | 'path' | 'signal'> & { readonly body: Readonly<Record<string, unknown>> },
  { source, whole, stream, fail = failUnchanged }: AnswerForm,
  { clock, prepareAnswer }: { readonly clock: Clock; readonly prepareAnswer: PrepareAnswer },
): Promise<RouteResponse> {
  const { body, signal } = request
  const start = await prepareAnswer(request, source).catch(fail)
  if (body['stream'] !== true) return ok(whole(await finishedAnswer(start, { signal, clock }).catch(fail)))
  const output = await awaitFirstOutput(start(signal), clock).catch(fail)
  return { status: 200, kind: 'events', events: stream(output) }
}

const failUnchanged = (error: unknown): never => {
  throw error
}
