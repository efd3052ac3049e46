import { type JsonObject, type Logger, ServiceError } from '@agent-service/sdk'
import { chatCollection, presentChat } from '../chats/chat.js'
import { type Message, messageCollection, presentMessage } from '../messages/message.js'
import { endMessage } from '../messages/write-message.js'
import type { ModelTurn } from './model-turn.js'
import { type NextAction, planNext } from './plan-next.js'
import { presentRun } from './run.js'
import { type RunLog, runSupersededError } from './run-log.js'
import { advance, type RunSession } from './run-session.js'
import type { ToolTurn } from './tool-turn.js'
import { describeFailure } from './turn-records.js'

/** Drives one run from where its log ends to its end, or until it is cancelled or parked. */
export interface RunDriver {
  /** Resolves when the run has ended or was parked. Rejects only when the store does. */
  drive(session: RunSession): Promise<void>
  /** Ends a run that cannot be driven, with the reason. */
  refuse(session: RunSession, failure: { readonly code: string; readonly message: string }): Promise<void>
}

export function createRunDriver(dependencies: {
  readonly log: RunLog
  readonly modelTurn: ModelTurn
  readonly toolTurn: ToolTurn
  readonly limits: { readonly maxToolTurns: number }
  readonly logger: Logger
}): RunDriver {
  const { log, modelTurn, toolTurn, limits, logger } = dependencies

  const step = async (session: RunSession, action: NextAction): Promise<void> => {
    switch (action.kind) {
      case 'start':
        return modelTurn.take(session, { kind: 'call-model', turn: 0, withTools: limits.maxToolTurns > 0 }, { first: true })
      case 'call-model':
        return modelTurn.take(session, action, { first: false })
      case 'run-tools':
        return toolTurn.run(session, action)
      case 'answer-tools':
        return toolTurn.answer(session, action)
      case 'finish':
        return action.status === 'completed'
          ? finish(session, { status: 'completed' })
          : finish(session, { status: 'failed', failure: { code: action.code, message: action.message } })
      case 'done':
        return
    }
  }

  type Ending =
    | { readonly status: 'completed' }
    | { readonly status: 'cancelled' }
    | { readonly status: 'failed'; readonly failure: { readonly code: string; readonly message: string } }

  /** Ends the run: closes a message that is still open, frees the chat, tells those who watch. */
  const finish = async (session: RunSession, ending: Ending): Promise<void> => {
    const failure = ending.status === 'failed' ? ending.failure : null
    const open = session.steps.at(-1)
    const openMessageId = open?.type === 'model.requested' ? open.message_id : undefined
    let closed: Message | undefined
    let chatView: JsonObject | undefined
    await advance(session, log, {
      steps: [{ type: 'run.finished', status: ending.status, code: failure?.code ?? null }],
      run: (now) => ({ status: ending.status, failure, finished_at: now, lease_until: null, cancel_requested_at: null }),
      write: async (transaction, now) => {
        if (openMessageId !== undefined && (await transaction.get(messageCollection, openMessageId))?.status === 'open') {
          closed = await endMessage(transaction, openMessageId, session.partial.length > 0 ? 'partial' : 'failed', session.partial)
        }
        const chat = await transaction.get(chatCollection, session.run.chat_id)
        if (chat) {
          const freed = { ...chat, active_run_id: chat.active_run_id === session.run.id ? null : chat.active_run_id, updated_at: now }
          transaction.put(chatCollection, freed)
          chatView = presentChat(freed)
        }
      },
      events: (run) => [
        ...(closed ? [{ name: 'message.updated' as const, data: { message: presentMessage(closed) } }] : []),
        { name: `run.${ending.status}` as const, data: { run: presentRun(run), ...(failure ? { failure } : {}) } },
        ...(chatView ? [{ name: 'chat.updated' as const, data: { chat: chatView } }] : []),
      ],
    })
  }

  return {
    refuse: (session, failure) => finish(session, { status: 'failed', failure }),

    async drive(session) {
      try {
        for (;;) {
          if (session.signal.aborted) break
          const action = planNext(session.steps, limits)
          if (action.kind === 'done') return
          await step(session, action)
        }
      } catch (error) {
        if (runSupersededError.isInstance(error)) return
        if (!session.signal.aborted) {
          if (ServiceError.isInstance(error) && error.code === 'database_closed') return
          logger.error('A run failed inside the service.', { run_id: session.run.id, error })
          await finish(session, { status: 'failed', failure: describeFailure(error) })
          return
        }
      }
      if (session.stopCause === 'cancel') await finish(session, { status: 'cancelled' })
      else if (session.run.attempts > 0) session.run = await log.append(session.run, { steps: [], run: () => ({ attempts: 0, lease_until: null }) })
    },
  }
}
