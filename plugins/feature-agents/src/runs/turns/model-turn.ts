import type { Transaction } from '@agent-service/sdk/services/database'
import { v7 as uuidv7 } from 'uuid'
import type { Agent } from '../../store/agents/agent.js'
import type { Chat } from '../../store/chats/chat.js'
import type { Message } from '../../store/chats/message.js'
import { chatOfRun } from '../../store/runs/chat-of-run.js'
import type { AnnouncedCall, FreshRun } from '../../store/runs/fresh-run.js'
import type { Run } from '../../store/runs/run.js'
import { nothingToSummarise, olderOmitted } from '../log/compaction-codes.js'
import type { NextAction } from '../log/plan-next.js'
import { inputWaitingError } from '../log/run-log.js'
import type { Transition } from '../log/transition.js'
import { advance, type RunSession, refreshAccount } from '../session/run-session.js'
import { announceCall } from './announce-call.js'

import { type ModelTurnDependencies, makeCall } from './make-call.js'

type CallModel = Extract<NextAction, { kind: 'call-model' }>

/**
 * One model call of a run: the transition that announces it, the call, and the transition that
 * records it. An answer without tool calls and an answer that broke off end the run in the same
 * transition.
 */
export interface ModelTurn {
  take(session: RunSession, action: CallModel, options: { readonly first: boolean }): Promise<void>
  /** Makes an announced call. */
  make(session: RunSession, call: AnnouncedCall): Promise<void>
  /**
   * Announces the first call of a run in the transaction that stores the run, so that one commit
   * covers both. That transaction has read the chat, which every new message changes, so the
   * history read here is that of the commit.
   */
  open(
    transaction: Transaction,
    run: Run,
    place: { readonly agent: Agent; readonly chat: Chat; readonly timezone: string; readonly latest?: Message },
  ): Promise<FreshRun>
}

export function createModelTurn(dependencies: ModelTurnDependencies): ModelTurn {
  return {
    take: (session, action, options) => take(dependencies, session, action, options),
    make: (session, call) => makeCall(dependencies, session, call),
    open: (transaction, run, place) => open(dependencies, transaction, run, place),
  }
}

async function take(
  dependencies: ModelTurnDependencies,
  session: RunSession,
  action: CallModel,
  { first }: { readonly first: boolean },
): Promise<void> {
  const { database, accounts, prompt, log } = dependencies
  const { run, agent, history, signal } = session
  // The earlier messages of the run keep their zone.
  if (!history) await refreshAccount(session, accounts)
  const path = history ? [] : ((await chatOfRun(database, run))?.path ?? [])
  const place = { run, agent, timezone: session.account.timezone, path, history, answering: action.again?.messageId }
  const { withTools } = action
  const { overfull, ...asked } = await prompt.prepare(place, { withTools, squeeze: omitsOlder(session), signal })
  signal.throwIfAborted()
  if (overfull && !action.again && mayCompact(session, action.turn)) {
    await advance(session, log, compactingTransition(session, action.turn, { first }))
    return
  }
  const call: AnnouncedCall = {
    turn: action.turn,
    messageId: action.again?.messageId ?? uuidv7(),
    ...asked,
    ...(session.lostCalls.length > 0 && { lostCalls: session.lostCalls }),
  }
  try {
    await advance(session, log, announceCall(run, call, action, { first }))
  } catch (error) {
    // The person's message comes first.
    if (inputWaitingError.isInstance(error)) return
    throw error
  }
  await makeCall(dependencies, session, call)
}

async function open(
  { inference, prompt, log }: ModelTurnDependencies,
  transaction: Transaction,
  run: Run,
  { agent, chat, timezone, latest }: Parameters<ModelTurn['open']>[2],
): Promise<FreshRun> {
  // If the model cannot be asked, the driver lets the run wait or fail; the message is stored
  // anyway.
  if (!(await prompt.isReady(agent))) return { run }
  const withTools = Math.min(inference.limits.max_tool_turns, agent.limits.max_tool_turns ?? inference.limits.max_tool_turns) > 0
  const { overfull, ...asked } = await prompt.prepare(
    { run, agent, timezone, path: chat.path, ...(latest ? { latest } : {}) },
    { withTools, count: false },
  )
  // The driver counts the tokens, and has older messages summarised if necessary.
  if (overfull) return { run }
  const call: AnnouncedCall = { turn: 0, messageId: uuidv7(), ...asked }
  const transition = announceCall(run, call, { withTools }, { first: true })
  return { run: await log.begin(transaction, run, transition), opening: { steps: transition.steps, call } }
}

/** Once per turn, and no more after two failures. */
function mayCompact({ steps }: RunSession, turn: number): boolean {
  const over = steps.some((step) => (step.type === 'context.compacted' || step.type === 'context.kept') && step.turn === turn)
  const inVain = steps.filter((step) => step.type === 'context.kept' && step.reason === 'budget' && step.code !== nothingToSummarise)
  return !over && inVain.length < 2
}

/**
 * Whether the vendor refused the conversation as too long and the chat has no summaries: older
 * messages are left out instead.
 */
const omitsOlder = ({ steps }: RunSession): boolean => steps.some((step) => step.type === 'context.kept' && step.code === olderOmitted)

/** Plans a summary before this turn's call. `first`: the run begins with it. */
function compactingTransition({ run }: RunSession, turn: number, { first }: { readonly first: boolean }): Transition {
  const compacting = { type: 'context.compacting' as const, turn, reason: 'budget' as const }
  if (!first) return { steps: [compacting] }
  return {
    steps: [{ type: 'run.started' }, compacting],
    run: (now) => ({ status: 'running', started_at: now }),
    events: () => [{ name: 'run.started', data: { agent_id: run.agent_id } }],
  }
}
