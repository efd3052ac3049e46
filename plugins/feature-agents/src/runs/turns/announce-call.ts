import { type Message, messageCollection, presentMessage } from '../../store/chats/message.js'
import type { AnnouncedCall } from '../../store/runs/fresh-run.js'
import type { Run } from '../../store/runs/run.js'
import { insertMessage } from '../../store/runs/write-message.js'
import type { NextAction } from '../log/plan-next.js'
import { hashRequest } from '../log/request-hash.js'
import { inputWaitingError } from '../log/run-log.js'
import type { Transition } from '../log/transition.js'

/**
 * Announces a model call: the step, and an empty message to fill. `first`: the run begins with it.
 * A person's message that waits for the run comes first (`run_input_waiting`), so that the answer
 * comes after all messages that it has seen and before all others.
 */
export function announceCall(
  run: Run,
  call: AnnouncedCall,
  action: Pick<Extract<NextAction, { kind: 'call-model' }>, 'withTools' | 'again'>,
  { first }: { readonly first: boolean },
): Transition {
  const { turn, messageId } = call
  const requested = {
    type: 'model.requested' as const,
    turn,
    message_id: messageId,
    request_hash: hashRequest(call.messages, call.tools),
    with_tools: action.withTools,
  }
  let opened: Message | undefined
  return {
    steps: first ? [{ type: 'run.started' }, requested] : [requested],
    run: (now) => ({
      ...(first ? { status: 'running', started_at: now, inbox: [] } : {}),
      // Repeating a call is not progress: a call that crashes the process each time must end some
      // time.
      ...(action.again ? { attempts: run.attempts } : {}),
    }),
    check(stored) {
      // Messages from before the run began are in its first prompt; later ones are not.
      const unseen = first ? stored.inbox.filter((id) => !run.inbox.includes(id)) : stored.inbox
      if (!action.again && unseen.length > 0) throw inputWaitingError.create({})
    },
    write: async (transaction, now) => {
      opened = undefined
      const message = action.again && (await transaction.get(messageCollection, messageId))
      if (message) transaction.put(messageCollection, { ...message, status: 'open', content: [] })
      else opened = (await insertMessage(transaction, { id: messageId, run, role: 'assistant', status: 'open', content: [], now })).message
    },
    events: () => [
      ...(first ? [{ name: 'run.started' as const, data: { agent_id: run.agent_id } }] : []),
      ...(action.again
        ? [
            {
              name: 'run.started' as const,
              data: { agent_id: run.agent_id, resumed: true, void: { message_id: messageId, part: 0, offset: 0 } },
            },
          ]
        : []),
      ...(opened ? [{ name: 'message.created' as const, data: { message: presentMessage(opened) } }] : []),
    ],
  }
}
