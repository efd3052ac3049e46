import { ServiceError } from '@agent-service/sdk'
import type { ContentPart, ModelUsage, ReasoningPart, StopReason, TextPart, ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import { v5 as uuidv5 } from 'uuid'
import { type Message, presentMessage } from '../messages/message.js'
import { endMessage } from '../messages/write-message.js'
import type { LiveMessage } from './live-message.js'
import { hashArguments } from './prompt.js'
import type { RunUsage } from './run.js'
import type { RunLog, TransitionEvent } from './run-log.js'
import { advance, type RunSession } from './run-session.js'

type AnswerPart = TextPart | ReasoningPart | ToolCallPart

/** What a model call came to. */
export interface Answer {
  readonly content: readonly AnswerPart[]
  readonly stopReason: StopReason
  readonly usage: ModelUsage
  readonly provider: string
  readonly model: string
}

/** Writes how a model call ended. */
export interface TurnRecords {
  /** The answer is whole: the message is complete, and its tool calls are planned. */
  complete(session: RunSession, turn: number, messageId: string, answer: Answer): Promise<void>
  /** The answer broke off: what came is kept as partial, never as an answer. */
  fail(session: RunSession, turn: number, live: LiveMessage, error: unknown): Promise<void>
}

export function createTurnRecords(log: RunLog): TurnRecords {
  return {
    async complete(session, turn, messageId, answer) {
      const { provider, model, usage } = answer
      let stored: Message | undefined
      await advance(session, log, {
        steps: [
          { type: 'model.completed', turn, message_id: messageId, stop_reason: answer.stopReason, usage, provider, model },
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
        run: () => ({ turns: session.run.turns + 1, usage: addUsage(session.run.usage, usage) }),
        write: async (transaction) => {
          stored = await endMessage(transaction, messageId, 'complete', answer.content)
        },
        events: () => [
          ...updated(stored),
          { name: 'usage.recorded', data: { message_id: messageId, provider, model, stop_reason: answer.stopReason, usage } },
        ],
      })
    },

    async fail(session, turn, live, error) {
      const content: readonly ContentPart[] = live.content()
      const { code, message } = describeFailure(error)
      let stored: Message | undefined
      await advance(session, log, {
        steps: [{ type: 'model.failed', turn, message_id: live.messageId, code, message }],
        write: async (transaction) => {
          stored = await endMessage(transaction, live.messageId, content.length > 0 ? 'partial' : 'failed', content)
        },
        events: () => updated(stored),
      })
    },
  }
}

const updated = (message: Message | undefined): readonly TransitionEvent[] =>
  message ? [{ name: 'message.updated', data: { message: presentMessage(message) } }] : []

/** Gives every call of an answer an id of ours, made of run, turn and place, so that a repeated turn has the same; the vendor's goes back with the result. */
export function withOurIds(place: { readonly runId: string; readonly turn: number }, content: readonly AnswerPart[]): readonly AnswerPart[] {
  return content.map((part, index) =>
    part.type === 'tool_call'
      ? { ...part, call_id: uuidv5(`${place.turn}/${index}`, place.runId), provider_call_id: part.provider_call_id ?? part.call_id }
      : part,
  )
}

/** A code and a sentence for people. Only errors that were made to be shown are. */
export function describeFailure(error: unknown): { readonly code: string; readonly message: string } {
  if (ServiceError.isInstance(error)) return { code: error.code, message: error.message }
  return { code: 'internal_error', message: 'Something went wrong inside the service. The cause is in its log.' }
}

function addUsage(sum: RunUsage, usage: ModelUsage): RunUsage {
  return {
    input_tokens: sum.input_tokens + usage.input_tokens,
    cached_input_tokens: sum.cached_input_tokens + usage.cached_input_tokens,
    output_tokens: sum.output_tokens + usage.output_tokens,
    reasoning_tokens: sum.reasoning_tokens + usage.reasoning_tokens,
  }
}
