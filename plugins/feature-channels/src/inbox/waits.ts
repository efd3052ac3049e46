import { busyWaitMs, maxBusyMs } from '../common/limits.js'
import { conversationKind } from '../store/conversation.js'
import { type InboxMessage, inboxCollection } from '../store/inbox.js'
import { isOwnerOf } from '../store/sender.js'
import { runOfChat } from './chat-run.js'
import type { Place } from './message-place.js'
import type { ProcessDependencies } from './process-dependencies.js'
import { settle } from './settle.js'

/**
 * Whether a message cannot be given to its chat as it is now. While a run asks its owner something a
 * message is refused, since it would withdraw the question. A run that was started elsewhere, as in the
 * console, is waited for: its answer is not for this conversation.
 */
export async function waits(
  dependencies: ProcessDependencies,
  { connection, conversation, sender }: Place,
  message: InboxMessage,
): Promise<boolean> {
  const { database, clock, runs } = dependencies.parts
  const chatId = message.run?.chat_id ?? null
  if (chatId === null) return false
  const active = await runOfChat(runs, { userId: conversation.user_id, chatId })
  if (!active) return false
  const isOwn = active.reportsTo?.kind === conversationKind && active.reportsTo.id === conversation.id
  if (isOwn && active.questions.length === 0) return false
  if (!isOwn && clock.now() - Date.parse(message.received_at) < maxBusyMs) {
    await database.transaction(async (transaction) => {
      const stored = await transaction.get(inboxCollection, message.id)
      if (stored?.line == null) return
      // It has not begun, whatever crashes: it is looked at again.
      transaction.put(inboxCollection, { ...stored, attempts: Math.max(1, stored.attempts), not_before: clock.now() + busyWaitMs })
    })
    return true
  }
  const isOwner = isOwnerOf(sender)
  await settle(dependencies, message, {
    ...{ outcome: isOwn ? 'question_open' : 'busy', connection, conversation },
    notice: isOwn ? (isOwner ? decideFirst : ownerDecides) : busyElsewhere,
  })
  return true
}

const busyElsewhere = 'Your message was not passed on: the agent is busy elsewhere. Send it again later.'
const decideFirst = 'Your message was not passed on: first decide what the agent asks, here or in the service, or end it with /stop.'
const ownerDecides = 'Your message was not passed on: the agent waits for the owner of this account. Send it again later.'
