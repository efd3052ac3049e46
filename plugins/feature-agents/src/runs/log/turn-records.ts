import { ServiceError, wellFormedValue } from '@agent-service/sdk'
import {
  type ImagePart,
  type ModelUsage,
  type ProviderFailure,
  providerError,
  type ReasoningPart,
  type StopReason,
  type TextPart,
  type ToolCallPart,
} from '@agent-service/sdk/contracts/provider-adapter'
import { type AnswerFallback, credentialMissingError, credentialUnusableError } from '@agent-service/sdk/services/inference'
import { v5 as uuidv5 } from 'uuid'
import { storableObject, wellFormed } from '../../common/well-formed.js'
import { type LeftOut, type Message, presentMessage } from '../../store/chats/message.js'
import type { Run, RunFailure, RunUsage } from '../../store/runs/run.js'
import { type BrokenAnswer, breakMessage, endMessage } from '../../store/runs/write-message.js'
import { hashArguments } from './request-hash.js'
import type { Transition, TransitionEvent } from './transition.js'

type AnswerPart = TextPart | ReasoningPart | ToolCallPart | ImagePart

/** The result of a model call. */
export interface Answer {
  readonly content: readonly AnswerPart[]
  readonly stopReason: StopReason
  readonly usage: ModelUsage
  readonly provider: string
  readonly model: string
  /** What the vendor refused meanwhile. Absent: nothing. */
  readonly leftOut?: readonly LeftOut[]
  /** Absent: the wanted model answered. */
  readonly fallback?: AnswerFallback
}

/** The answer has ended: the message is complete, and its tool calls are planned. */
export function completedTransition(run: Run, turn: number, messageId: string, answer: Answer): Transition {
  const { provider, model, usage } = answer
  const stop_reason = answer.stopReason
  let stored: Message | undefined
  return {
    steps: [
      { type: 'model.completed', turn, message_id: messageId, stop_reason, usage, provider, model },
      ...answer.content.flatMap((part, index) =>
        part.type === 'tool_call'
          ? [
              {
                type: 'tool.planned' as const,
                turn,
                message_id: messageId,
                call_id: part.call_id,
                name: part.name,
                arguments_hash: hashArguments(part.arguments),
                part: index,
              },
            ]
          : [],
      ),
    ],
    run: () => ({ turns: run.turns + 1, usage: addUsage(run.usage, usage), retry: null }),
    async write(transaction) {
      stored = await endMessage(transaction, messageId, 'complete', answer.content, answer)
    },
    events: () => [...updated(stored), { name: 'usage.recorded', data: { message_id: messageId, provider, model, stop_reason, usage } }],
  }
}

/** The answer broke off: its text so far is kept as partial, never as an answer. */
export function brokenTransition(turn: number, messageId: string, answer: BrokenAnswer, failure: RunFailure): Transition {
  let stored: Message | undefined
  return {
    steps: [{ type: 'model.failed', turn, message_id: messageId, code: failure.code, message: failure.message }],
    async write(transaction) {
      stored = await breakMessage(transaction, messageId, answer)
    },
    events: () => updated(stored),
  }
}

const updated = (message: Message | undefined): readonly TransitionEvent[] =>
  message ? [{ name: 'message.updated', data: { message: presentMessage(message) } }] : []

/** The id of a call, derived from run, turn and part, so that a repeated turn has the same ids. */
export const callIdAt = (runId: string, turn: number, part: number): string => uuidv5(`${turn}/${part}`, runId)

/**
 * An answer in its stored form: well-formed texts, and every call with an id of the service; the
 * vendor's id is returned with the result. A call whose arguments cannot be stored gets invalid
 * arguments.
 */
export function keepable(place: { readonly runId: string; readonly turn: number }, content: readonly AnswerPart[]): readonly AnswerPart[] {
  return content.map((part, index) => {
    // With what the vendor wants back, which a store refuses too if it has half a character.
    if (part.type !== 'tool_call') return wellFormedValue(part)
    const kept = storableObject(part.arguments)
    const invalid =
      part.invalid_arguments ?? (kept ? undefined : 'The arguments are nested too deeply or have a member that is not allowed.')
    return {
      ...part,
      call_id: callIdAt(place.runId, place.turn, index),
      provider_call_id: wellFormed(part.provider_call_id ?? part.call_id),
      name: wellFormed(part.name),
      arguments: kept ?? {},
      ...(part.opaque === undefined ? {} : { opaque: wellFormedValue(part.opaque) }),
      ...(invalid === undefined ? {} : { invalid_arguments: wellFormed(invalid) }),
    }
  })
}

/** A code and a sentence for people. An internal error reveals no details. */
export function describeFailure(error: unknown): RunFailure {
  if (providerError.isInstance(error)) return providerFailureOf(error)
  if (ServiceError.isInstance(error) && error.status !== 500)
    return { code: error.code, message: wellFormed(error.message), ...(isOfConnection(error) && { provider: connectionOf(error) }) }
  return { code: 'internal_error', message: 'An internal error occurred. The cause is in the service log.' }
}

/** Whether a call failed before it was made, for a connection without a usable key. */
const isOfConnection = (error: unknown): error is ServiceError =>
  credentialMissingError.isInstance(error) || credentialUnusableError.isInstance(error)

const connectionOf = ({ details }: ServiceError): string => wellFormed(String(details['connection']))

function providerFailureOf(error: ServiceError): RunFailure {
  const { code, message, details, retryAfterSeconds } = error
  const failure = String(details['failure']) as ProviderFailure
  return {
    code: failure === 'context_overflow' ? failure : code,
    message: wellFormed(message),
    provider_failure: failure,
    provider: connectionOf(error),
    ...(retryAfterSeconds !== undefined && { retry_after_secs: retryAfterSeconds }),
    model: wellFormed(String(details['model'])),
    reason: wellFormed(String(details['reason'])),
    ...(typeof details['httpStatus'] === 'number' && { http_status: details['httpStatus'] }),
  }
}

/** The sum of both. */
export function addUsage(sum: RunUsage, usage: ModelUsage): RunUsage {
  return {
    input_tokens: sum.input_tokens + usage.input_tokens,
    cached_input_tokens: sum.cached_input_tokens + usage.cached_input_tokens,
    output_tokens: sum.output_tokens + usage.output_tokens,
    reasoning_tokens: sum.reasoning_tokens + usage.reasoning_tokens,
  }
}
