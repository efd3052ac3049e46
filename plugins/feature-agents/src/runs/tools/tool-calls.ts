import type { ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { v5 as uuidv5 } from 'uuid'
import { type MadeFile, maxMadeFiles } from '../../store/chats/made-file.js'
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

/** What came of a call: its result for the model, and what it made, for people. */
export interface CallOutcome {
  readonly part: ToolResultPart
  readonly files: readonly MadeFile[]
}

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

/** What the calls of the open turn made, in the order in which they ended. */
function madeFilesOf(session: RunSession, further: readonly MadeFile[]): readonly MadeFile[] {
  const asked = session.steps.findLastIndex((candidate) => candidate.type === 'model.requested')
  const made = session.steps.slice(asked).flatMap((step) => (step.type === 'tool.completed' ? (step.files ?? []) : []))
  return [...made, ...further].slice(-maxMadeFiles)
}

/** Records the result of a call. */
export function resultTransition(pending: PendingCall, result: ToolResultPart, files: readonly MadeFile[] = []): Transition {
  const event: TransitionEvent = {
    name: 'tool_call.finished',
    data: {
      ...placeOf(pending),
      is_error: result.is_error ?? false,
      content: result.content,
      ...(result.outcome ? { outcome: result.outcome } : {}),
      ...(files.length > 0 && { files }),
    },
  }
  return {
    steps: [{ type: 'tool.completed', call_id: pending.call_id, result, ...(files.length > 0 && { files }) }],
    events: () => [event],
  }
}

/**
 * Stores the results of a turn's calls as one message. `files`: what the call made whose result is
 * recorded together with it.
 */
export function answeredTransition(
  session: RunSession,
  turn: number,
  content: readonly ToolResultPart[],
  files: readonly MadeFile[] = [],
): Transition {
  const { run } = session
  const messageId = uuidv5(`tools/${turn}`, run.id)
  const madeFiles = madeFilesOf(session, files)
  let stored: Message | undefined
  return {
    steps: [{ type: 'tools.answered', turn, message_id: messageId }],
    async write(transaction, now) {
      stored = (await insertMessage(transaction, { id: messageId, run, role: 'tool', status: 'complete', content, madeFiles, now })).message
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
