import type { ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { v5 as uuidv5 } from 'uuid'
import { type Message, presentMessage } from '../../store/chats/message.js'
import { insertMessage } from '../../store/runs/write-message.js'
import type { PendingCall } from '../log/plan-next.js'
import type { Transition, TransitionEvent } from '../log/transition.js'
import type { RunSession } from '../session/run-session.js'
import { failedResult } from './tool-results.js'

/** A call of the open turn, as the log has it and as the model sent it. */
export interface OpenCall {
  readonly pending: PendingCall
  readonly call: ToolCallPart
}

/** Identifies a call for clients. */
export const placeOf = ({ message_id, part, call_id, name }: PendingCall) => ({ message_id, part, call_id, name })

/** All results of the open turn, in the model's order. */
export function resultsOf(session: RunSession, further: ReadonlyMap<string, ToolResultPart>): readonly ToolResultPart[] {
  const results = new Map(further)
  const order: string[] = []
  for (const step of session.steps.slice(session.steps.findLastIndex((candidate) => candidate.type === 'model.requested'))) {
    if (step.type === 'tool.planned') order.push(step.call_id)
    if (step.type === 'tool.completed') results.set(step.call_id, step.result)
  }
  return order.flatMap((id) => results.get(id) ?? [])
}

/** Records the result of a call. */
export function resultTransition(pending: PendingCall, result: ToolResultPart): Transition {
  const event: TransitionEvent = {
    name: 'tool_call.finished',
    data: {
      ...placeOf(pending),
      is_error: result.is_error ?? false,
      content: result.content,
      ...(result.outcome ? { outcome: result.outcome } : {}),
    },
  }
  return { steps: [{ type: 'tool.completed', call_id: pending.call_id, result }], events: () => [event] }
}

/** Stores the results of a turn's calls as one message. */
export function answeredTransition(session: RunSession, turn: number, content: readonly ToolResultPart[]): Transition {
  const { run } = session
  const messageId = uuidv5(`tools/${turn}`, run.id)
  let stored: Message | undefined
  return {
    steps: [{ type: 'tools.answered', turn, message_id: messageId }],
    async write(transaction, now) {
      stored = (await insertMessage(transaction, { id: messageId, run, role: 'tool', status: 'complete', content, now })).message
    },
    events: () => (stored ? [{ name: 'message.created', data: { message: presentMessage(stored) } }] : []),
  }
}

/** The result of a call that did not begin before its run ended. */
export const notRun = (call: ToolCallPart): ToolResultPart => failedResult(call, 'Not run: the run ended before this call began.')

/** The result of a call that was in progress when its run was stopped. */
export const stopped = (call: ToolCallPart, unknown: boolean): ToolResultPart =>
  unknown
    ? failedResult(
        call,
        'Outcome unknown: the run was stopped while this call was running, so it may or may not have had its effect.',
        'unknown',
      )
    : failedResult(call, 'Stopped: the run ended before this call returned a result.')
