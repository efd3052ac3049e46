import type { JsonObject } from '@agent-service/sdk'
import { type Chat, chatCollection, presentChat } from '../../store/chats/chat.js'
import { type Message, messageCollection, presentMessage } from '../../store/chats/message.js'
import { newTitleTask, titleTaskCollection } from '../../store/chats/title-task.js'
import { presentRun, type Run, type RunFailure } from '../../store/runs/run.js'
import { breakMessage } from '../../store/runs/write-message.js'
import { inputWaitingError } from '../log/run-log.js'
import type { Transition } from '../log/transition.js'
import type { RunSession } from './run-session.js'

/** How a run ends. */
export type RunEnding =
  /** `result`: the value of the final answer, if the run was asked for one. */
  | { readonly status: 'completed'; readonly result?: NonNullable<Run['result']> }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly failure: RunFailure }

/**
 * Ends a run, unless it would complete while a person's message waits for it (`run_input_waiting`):
 * closes an open message with its text so far, frees the chat, and emits the events.
 */
export function endingTransition(session: RunSession, ending: RunEnding): Transition {
  const failure = ending.status === 'failed' ? ending.failure : null
  const openMessageId = openMessageOf(session)
  let closed: Message | undefined
  let chatView: JsonObject | undefined
  return {
    steps: [{ type: 'run.finished', status: ending.status, code: failure?.code ?? null }],
    run: (now) => ({
      status: ending.status,
      failure,
      retry: null,
      finished_at: now,
      driver: null,
      cancel_requested_at: null,
      asking: [],
      asking_until: null,
      ...(ending.status === 'completed' && ending.result ? { result: ending.result } : {}),
    }),
    check(stored) {
      if (ending.status === 'completed' && stored.inbox.length > 0) throw inputWaitingError.create({})
    },
    async write(transaction, now) {
      closed = undefined
      if (openMessageId !== undefined && (await transaction.get(messageCollection, openMessageId))?.status === 'open') {
        closed = await breakMessage(transaction, openMessageId, session)
      }
      const chat = await transaction.get(chatCollection, session.run.chat_id)
      if (chat) {
        const active = chat.active_run_id === session.run.id ? null : chat.active_run_id
        session.titleDue =
          ending.status === 'completed' && session.makesTitle && chat.titling === 'open' && !chat.deleting && !chat.temporary
        const freed: Chat = {
          ...chat,
          active_run_id: active,
          ...(chat.beside_run_id === session.run.id && { beside_run_id: null }),
          updated_at: now,
          ...(session.titleDue ? { titling: 'closed' } : {}),
        }
        transaction.put(chatCollection, freed)
        if (session.titleDue) transaction.put(titleTaskCollection, newTitleTask(session.run, now))
        // Of a deleted chat nothing is told: clients would list it again.
        chatView = freed.deleting ? undefined : presentChat(freed)
      }
    },
    events: (run) => [
      ...(closed ? [{ name: 'message.updated' as const, data: { message: presentMessage(closed) } }] : []),
      { name: `run.${ending.status}` as const, data: { run: presentRun(run), ...(failure ? { failure } : {}) } },
      ...(chatView ? [{ name: 'chat.updated' as const, data: { chat: chatView } }] : []),
    ],
  }
}

/**
 * The message that waits for an answer, including while older messages are summarised because the
 * vendor refused the request.
 */
function openMessageOf({ steps }: Pick<RunSession, 'steps'>): string | undefined {
  const last = steps.findLast(
    (step) => step.type !== 'context.compacting' && step.type !== 'context.compacted' && step.type !== 'context.kept',
  )
  return last?.type === 'model.requested' || last?.type === 'model.overflowed' ? last.message_id : undefined
}
