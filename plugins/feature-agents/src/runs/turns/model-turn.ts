import type { Logger } from '@agent-service/sdk'
import type { ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { Inference } from '@agent-service/sdk/services/inference'
import { v7 as uuidv7 } from 'uuid'
import { toModelMessages } from '../../context/history.js'
import type { Agent } from '../../store/agents/agent.js'
import { type Chat, chatCollection } from '../../store/chats/chat.js'
import type { Message } from '../../store/chats/message.js'
import type { AnnouncedCall, FreshRun } from '../../store/runs/fresh-run.js'
import type { Run } from '../../store/runs/run.js'
import { nothingToSummarise, olderLeftOut } from '../log/compaction-codes.js'
import type { NextAction } from '../log/plan-next.js'
import { inputWaitingError, type RunLog, runSupersededError } from '../log/run-log.js'
import { joinTransitions, type Transition } from '../log/transition.js'
import { type Answer, brokenTransition, callIdAt, completedTransition, describeFailure } from '../log/turn-records.js'
import type { ModelPrompt } from '../prompt/model-prompt.js'
import { endingTransition, type RunEnding } from '../session/run-ending.js'
import { advance, type RunSession, refreshAccount } from '../session/run-session.js'
import { createLiveMessage } from '../streaming/live-message.js'
import type { RunWatchers } from '../streaming/run-watchers.js'
import { announceCall } from './announce-call.js'
import { askModel } from './ask-model.js'
import { mayCorrect, readResult, refusedTransition, resultFailure } from './check-result.js'
import { listenToModel } from './listen-to-model.js'

type CallModel = Extract<NextAction, { kind: 'call-model' }>

/**
 * One model call of a run: the transition that announces it, the call, and the transition that reports it. An answer without tool calls and an answer
 * that broke off end the run in the same transition.
 */
export interface ModelTurn {
  take(session: RunSession, action: CallModel, options: { readonly first: boolean }): Promise<void>
  /** Makes a call that is announced already. */
  make(session: RunSession, call: AnnouncedCall): Promise<void>
  /**
   * Announces the first call of a run in the transaction that stores the run, so that one commit does for both. That transaction has read the chat:
   * every new message changes it, so the history that is read here is that of the commit.
   */
  open(
    transaction: Transaction,
    run: Run,
    place: { readonly agent: Agent; readonly chat: Chat; readonly timezone: string; readonly latest?: Message },
  ): Promise<FreshRun>
}

export function createModelTurn(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly accounts: Pick<Accounts, 'get'>
  readonly inference: Inference
  readonly prompt: ModelPrompt
  readonly log: RunLog
  readonly logger: Logger
  /** Who cannot take back what they were told. Default: nobody. */
  readonly watchers?: Pick<RunWatchers, 'showForGood'>
}): ModelTurn {
  const { database, events, accounts, inference, prompt, log, logger, watchers } = dependencies
  const chats = database.collection(chatCollection)

  const make: ModelTurn['make'] = async (session, { turn, messageId, messages, tools, history, lostCalls }) => {
    const { run, signal } = session
    session.history = [...history]
    session.lostCalls = []
    const live = createLiveMessage({
      ids: { messageId, chatId: run.chat_id, runId: run.id, userId: run.user_id },
      events,
      pace: session.pace,
      callId: (part) => callIdAt(run.id, turn, part),
    })
    session.live = live
    session.reportUnderWay()
    try {
      const attribution = { userId: run.user_id, agentId: run.agent_id, chatId: run.chat_id, runId: run.id }
      const { span } = session
      const once = watchers?.showForGood(run.chat_id) === true
      const wanted = run.terms?.result
      const stream = askModel(
        inference,
        {
          group: run.model_group,
          messages,
          tools,
          attribution,
          ...settingsOf(session.agent, inference, run.model_group),
          ...(span && { span }),
          ...(once && { restarts: 'never' }),
          ...(lostCalls && { lostCalls }),
          ...(wanted && tools.length === 0 && { responseSchema: wanted }),
        },
        signal,
      )
      const answer = await listenToModel({ session, log, live, turn, stream })
      live.close()
      const completed = completedTransition(session.run, turn, messageId, answer)
      const callsTools = answer.content.some((part) => part.type === 'tool_call')
      const correction = callsTools ? await advance(session, log, completed) : await conclude(session, answer, completed, turn)
      // An answer of nothing is not shown to the model again, as it is not when the chat is read anew.
      if (answer.content.length > 0) session.history.push({ role: 'assistant', content: answer.content })
      if (correction) session.history.push(...(toModelMessages([correction], session.account.timezone) as ModelMessage[]))
    } catch (error) {
      live.close()
      session.partial = live.content()
      if (signal.aborted || runSupersededError.isInstance(error)) throw error
      const failure = describeFailure(error)
      if (failure.code === 'context_overflow' && !hasOverflowed(session, turn)) {
        session.partial = []
        await advance(session, log, { steps: [{ type: 'model.overflowed', turn, message_id: messageId }] })
        return
      }
      logger.warn('A model call failed.', { run_id: run.id, turn, error })
      const broken = brokenTransition(turn, messageId, session.partial, failure)
      await advance(session, log, joinTransitions(broken, endingTransition(session, { status: 'failed', failure })))
    } finally {
      session.live = undefined
    }
  }

  /** An answer without tool calls ends the run; one that does not have the form that was asked for is followed by a correction, as often as may be. */
  const conclude = async (session: RunSession, answer: Answer, completed: Transition, turn: number): Promise<Message | undefined> => {
    const wanted = session.run.terms?.result
    if (!wanted) {
      await endOrGoOn(session, completed, { status: 'completed' })
      return undefined
    }
    const read = readResult(wanted, answer)
    if ('value' in read) {
      await endOrGoOn(session, completed, { status: 'completed', result: { value: read.value } })
      return undefined
    }
    if (mayCorrect(session.steps)) {
      const refused = refusedTransition(session.run, turn, read.problems)
      await advance(session, log, joinTransitions(completed, refused))
      return refused.message()
    }
    await advance(
      session,
      log,
      joinTransitions(completed, endingTransition(session, { status: 'failed', failure: resultFailure(read.problems) })),
    )
    return undefined
  }

  /** The answer is the last word of the run, unless the person has written in the meantime. */
  const endOrGoOn = async (session: RunSession, completed: Transition, ending: RunEnding): Promise<void> => {
    try {
      await advance(session, log, joinTransitions(completed, endingTransition(session, ending)))
    } catch (error) {
      if (!inputWaitingError.isInstance(error)) throw error
      await advance(session, log, completed)
    }
  }

  return {
    make,

    async take(session, action, { first }) {
      const { run, agent, history, signal } = session
      // What the run has said already keeps the zone in which it was said.
      if (!history) await refreshAccount(session, accounts)
      const path = history ? [] : ((await chats.get(run.chat_id))?.path ?? [])
      const place = { run, agent, timezone: session.account.timezone, path, history, answering: action.again?.messageId }
      const { withTools } = action
      const { overfull, ...asked } = await prompt.prepare(place, { withTools, squeeze: leavesOut(session), signal })
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
      await make(session, call)
    },

    async open(transaction, run, { agent, chat, timezone, latest }) {
      // A run that cannot ask its model waits or fails where it is driven; the message is kept all the same.
      if (!(await prompt.isReady(agent))) return { run }
      const withTools = Math.min(inference.limits.max_tool_turns, agent.limits.max_tool_turns ?? inference.limits.max_tool_turns) > 0
      const { overfull, ...asked } = await prompt.prepare(
        { run, agent, timezone, path: chat.path, ...(latest ? { latest } : {}) },
        { withTools, count: false },
      )
      // The driver counts, and has older messages summarised where it must.
      if (overfull) return { run }
      const call: AnnouncedCall = { turn: 0, messageId: uuidv7(), ...asked }
      const transition = announceCall(run, call, { withTools }, { first: true })
      return { run: await log.begin(transaction, run, transition), opening: { steps: transition.steps, call } }
    },
  }
}

/** What the agent's limits say of a call; a group's own limit is never raised. */
function settingsOf({ limits }: Agent, inference: Inference, modelGroup: string): { readonly settings?: { readonly max_tokens: number } } {
  const wanted = limits.max_output_tokens
  if (wanted === undefined) return {}
  const group = inference.groups().find(({ name }) => name === modelGroup)
  return { settings: { max_tokens: Math.min(wanted, group?.max_tokens ?? wanted) } }
}

const hasOverflowed = ({ steps }: RunSession, turn: number): boolean =>
  steps.some((step) => step.type === 'model.overflowed' && step.turn === turn)

/** Once a turn, and not again where it was in vain twice. */
function mayCompact({ steps }: RunSession, turn: number): boolean {
  const over = steps.some((step) => (step.type === 'context.compacted' || step.type === 'context.kept') && step.turn === turn)
  const inVain = steps.filter((step) => step.type === 'context.kept' && step.reason === 'budget' && step.code !== nothingToSummarise)
  return !over && inVain.length < 2
}

/** Whether the vendor refused the conversation as too long and it is not to be summarised: older messages are left out instead. */
const leavesOut = ({ steps }: RunSession): boolean => steps.some((step) => step.type === 'context.kept' && step.code === olderLeftOut)

/** Older messages are to be summarised before this turn's call. `first`: the run begins with it. */
function compactingTransition({ run }: RunSession, turn: number, { first }: { readonly first: boolean }): Transition {
  const compacting = { type: 'context.compacting' as const, turn, reason: 'budget' as const }
  if (!first) return { steps: [compacting] }
  return {
    steps: [{ type: 'run.started' }, compacting],
    run: (now) => ({ status: 'running', started_at: now }),
    events: () => [{ name: 'run.started', data: { agent_id: run.agent_id } }],
  }
}
