import type { Logger } from '@agent-service/sdk'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { Inference } from '@agent-service/sdk/services/inference'
import { v7 as uuidv7 } from 'uuid'
import type { Agent } from '../agents/agent.js'
import type { Message } from '../messages/message.js'
import { announceCall } from './announce-call.js'
import type { AnnouncedCall, FreshRun } from './fresh-run.js'
import { listenToModel } from './listen-to-model.js'
import { createLiveMessage } from './live-message.js'
import type { ModelPrompt } from './model-prompt.js'
import type { NextAction } from './plan-next.js'
import type { Run } from './run.js'
import { endingTransition } from './run-ending.js'
import { joinTransitions, type RunLog, runSupersededError } from './run-log.js'
import { advance, type RunSession } from './run-session.js'
import { brokenTransition, callIdAt, completedTransition, describeFailure } from './turn-records.js'

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
  open(transaction: Transaction, run: Run, place: { readonly agent: Agent; readonly latest: Message }): Promise<FreshRun>
}

export function createModelTurn(dependencies: {
  readonly events: Events
  readonly inference: Inference
  readonly prompt: ModelPrompt
  readonly log: RunLog
  readonly logger: Logger
}): ModelTurn {
  const { events, inference, prompt, log, logger } = dependencies

  const make: ModelTurn['make'] = async (session, { turn, messageId, messages, tools, history }) => {
    const { run, signal } = session
    session.history = [...history]
    const live = createLiveMessage({
      ids: { messageId, chatId: run.chat_id, runId: run.id, userId: run.user_id },
      events,
      pace: session.pace,
      callId: (part) => callIdAt(run.id, turn, part),
    })
    session.live = live
    try {
      const attribution = { userId: run.user_id, agentId: run.agent_id, chatId: run.chat_id, runId: run.id }
      const { span } = session
      const stream = inference.infer({ group: run.model_group, messages, tools, attribution, ...(span && { span }) }, { signal })
      const answer = await listenToModel({ session, log, live, turn, stream })
      live.close()
      const completed = completedTransition(session.run, turn, messageId, answer)
      const callsTools = answer.content.some((part) => part.type === 'tool_call')
      await advance(session, log, callsTools ? completed : joinTransitions(completed, endingTransition(session, { status: 'completed' })))
      session.history.push({ role: 'assistant', content: answer.content })
    } catch (error) {
      live.close()
      session.partial = live.content()
      if (signal.aborted || runSupersededError.isInstance(error)) throw error
      logger.warn('A model call failed.', { run_id: run.id, turn, error })
      const failure = describeFailure(error)
      const broken = brokenTransition(turn, messageId, session.partial, failure)
      await advance(session, log, joinTransitions(broken, endingTransition(session, { status: 'failed', failure })))
    } finally {
      session.live = undefined
    }
  }

  return {
    make,

    async take(session, action, { first }) {
      const { run, agent, history, signal } = session
      const asked = await prompt.prepare({ run, agent, history }, action)
      signal.throwIfAborted()
      const call: AnnouncedCall = { turn: action.turn, messageId: action.again?.messageId ?? uuidv7(), ...asked }
      await advance(session, log, announceCall(run, call, action, { first }))
      await make(session, call)
    },

    async open(transaction, run, { agent, latest }) {
      // A run that cannot ask its model fails where it is driven; the message is kept all the same.
      if (!(await prompt.isReady())) return { run }
      const action = { withTools: inference.limits.max_tool_turns > 0 }
      const call: AnnouncedCall = { turn: 0, messageId: uuidv7(), ...(await prompt.prepare({ run, agent, latest }, action)) }
      const transition = announceCall(run, call, action, { first: true })
      return { run: await log.begin(transaction, run, transition), opening: { steps: transition.steps, call } }
    },
  }
}
