import { hookContextOf } from '../../points/hooks/run-ended.js'
import { messageCollection } from '../../store/chats/message.js'
import type { Approval } from '../../store/runs/approval.js'
import { openToolTurn, type PendingCall } from '../log/plan-next.js'
import { joinTransitions, type Transition } from '../log/transition.js'
import { advance, type RunSession } from '../session/run-session.js'
import { refusalOf } from './refused-call.js'
import { repetitionOf } from './repeated-call.js'
import { type OpenCall, resultTransition } from './tool-calls.js'
import { failedResult } from './tool-results.js'
import type { ToolTurnDependencies } from './tool-turn-dependencies.js'

/** The pending calls with the parts that the model sent. */
export async function callsOf({ database }: ToolTurnDependencies, calls: readonly PendingCall[]): Promise<readonly OpenCall[]> {
  const messages = database.collection(messageCollection)
  const result: OpenCall[] = []
  for (const pending of calls) {
    const part = (await messages.get(pending.message_id))?.content[pending.part]
    if (part?.type !== 'tool_call') throw new Error(`The call ${pending.call_id} is not in the message ${pending.message_id}.`)
    result.push({ pending, call: part })
  }
  return result
}

/** The current state of the open turn's calls; the parts that the model sent do not change. */
export const currentOpenCalls = (session: RunSession, known: readonly OpenCall[]): readonly OpenCall[] =>
  (openToolTurn(session.steps)?.calls ?? []).flatMap((pending) => {
    const call = known.find((candidate) => candidate.pending.call_id === pending.call_id)?.call
    return call ? [{ pending, call }] : []
  })

/** Whether a person is being asked about the call. */
export const isOpenQuestion = ({ pending }: OpenCall): boolean => pending.state === 'asked' && pending.answer === undefined

/** Decides about every undecided call: some are refused at once, for some a person is asked. */
export async function decideCalls(
  { log, access, person }: ToolTurnDependencies,
  session: RunSession,
  calls: readonly OpenCall[],
): Promise<void> {
  const { run, agent, signal } = session
  const refused: Transition[] = []
  const asking: Approval[] = []
  for (const { pending, call } of calls) {
    if (pending.state !== 'planned') continue
    const repetition = repetitionOf(session.steps, pending.call_id)
    if (repetition !== undefined) {
      refused.push(resultTransition(pending, failedResult(call, repetition)))
      continue
    }
    const decision = await access.decide({ run, agent }, pending, call, { signal })
    if (decision.kind === 'refused') refused.push(resultTransition(pending, failedResult(call, decision.reason)))
    if (decision.kind === 'ask') asking.push(decision.approval)
  }
  signal.throwIfAborted()
  if (refused.length > 0) await advance(session, log, refused.reduce(joinTransitions))
  if (asking.length > 0) await person.ask(session, asking)
}

/** Records results for the calls that a person did not approve. */
export async function recordDeclined({ log }: ToolTurnDependencies, session: RunSession, calls: readonly OpenCall[]): Promise<void> {
  const results = calls.flatMap(({ pending, call }) => {
    const text = refusalOf(pending, session.steps)
    return text === undefined ? [] : [resultTransition(pending, failedResult(call, text))]
  })
  if (results.length > 0) await advance(session, log, results.reduce(joinTransitions))
}

/**
 * The calls that may still begin. Policies can change while a person decides, and while calls wait
 * for earlier ones (`waited`).
 */
export async function confirmed(
  dependencies: ToolTurnDependencies,
  session: RunSession,
  calls: readonly OpenCall[],
  waited: boolean,
): Promise<readonly OpenCall[]> {
  const { log, access } = dependencies
  const { agent, signal } = session
  const kept: OpenCall[] = []
  const refused: Transition[] = []
  for (const open of calls) {
    const { pending, call } = open
    const isDue = pending.state !== 'started' && (waited || pending.answer !== undefined)
    const decision = isDue ? await access.confirm({ agent }, pending, call, { signal }) : undefined
    if (decision?.kind === 'refused') refused.push(resultTransition(pending, failedResult(call, decision.reason)))
    else kept.push(open)
  }
  for (const { open, reason } of await vetoed(dependencies, session, kept)) {
    kept.splice(kept.indexOf(open), 1)
    refused.push(resultTransition(open.pending, failedResult(open.call, `Not run. ${reason}`)))
  }
  if (refused.length > 0) await advance(session, log, refused.reduce(joinTransitions))
  return kept
}

/** The calls that hooks veto, all checked at once. */
async function vetoed(
  { hooks }: ToolTurnDependencies,
  session: RunSession,
  calls: readonly OpenCall[],
): Promise<readonly { readonly open: OpenCall; readonly reason: string }[]> {
  if (!hooks?.has('beforeToolCall')) return []
  const asked = calls.map(async (open) => {
    const { pending, call } = open
    if (pending.state === 'started') return []
    const subject = { ...hookContextOf(session), callId: call.call_id, tool: call.name, arguments: call.arguments }
    const refusal = await hooks.beforeToolCall(subject, session.signal)
    return refusal ? [{ open, reason: refusal.reason }] : []
  })
  return (await Promise.all(asked)).flat()
}
