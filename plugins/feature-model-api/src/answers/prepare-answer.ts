import { type RouteRequest, requirePerson } from '@agent-service/sdk/contracts/http-route'
import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Inference, InferenceEvent, InferenceRequest } from '@agent-service/sdk/services/inference'
import type { AgentTurn, RunAgentTurn } from '../agents/agent-turn.js'
import { identityOf } from '../retries/request-identity.js'
import type { SharedCalls } from '../retries/shared-calls.js'

/** Begins an answer, which ends with the signal. */
export type StartAnswer = (signal: AbortSignal) => AsyncIterable<InferenceEvent>

/** What answers a request: one inference, or a turn of an agent. */
export type AnswerSource = { readonly call: InferenceRequest } | { readonly turn: AgentTurn }

/** Whether a vendor would fetch one of the parts: a program whose network is closed must not have it do so. */
const namesAddress = (content: readonly ContentPart[]): boolean =>
  content.some((part) => {
    if (part.type === 'tool_result') return namesAddress(part.content)
    return (part.type === 'image' || part.type === 'file') && part.url !== undefined
  })

/**
 * Makes the start of an answer, which a retry of the request shares with it. @throws `people_only`
 * for addresses that a program names.
 */
export type PrepareAnswer = (
  request: Pick<RouteRequest, 'principal' | 'headers' | 'path' | 'body'>,
  source: AnswerSource,
) => Promise<StartAnswer>

export function createPrepareAnswer(dependencies: {
  readonly inference: Pick<Inference, 'infer'>
  readonly sharedCalls: SharedCalls
  readonly runAgentTurn: RunAgentTurn
}): PrepareAnswer {
  const { inference, sharedCalls, runAgentTurn } = dependencies
  return async (request, source) => {
    if ('call' in source && source.call.messages.some(({ content }) => namesAddress(content)))
      requirePerson(request.principal, 'send pictures or files by their address')
    const identity = await identityOf(request, request.body)
    if ('turn' in source) return (signal) => runAgentTurn(request, { ...source.turn, identity }, signal)
    return (signal) => sharedCalls.open(identity, signal, (shared) => inference.infer(source.call, { signal: shared }))
  }
}
