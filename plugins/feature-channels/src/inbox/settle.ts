import { textOf } from '../common/time.js'
import { noticeOf } from '../outbox/new-delivery.js'
import { conversationCollection } from '../store/conversation.js'
import { type Delivery, deliveryCollection } from '../store/delivery.js'
import { type InboxMessage, inboxCollection, settled } from '../store/inbox.js'
import { forgetFiles } from './message-content.js'
import type { ProcessDependencies } from './process-dependencies.js'
import type { Settlement } from './settlement.js'

/** Ends a message once, with what that leads to. */
export async function settle(
  { parts, onDelivery }: Pick<ProcessDependencies, 'parts' | 'onDelivery'>,
  message: InboxMessage,
  settlement: Settlement,
): Promise<void> {
  const { database, clock, metrics } = parts
  const { outcome, connection, conversation, change = (current) => current, notice } = settlement
  const delivery = await database.transaction(async (transaction): Promise<Delivery | undefined> => {
    const stored = await transaction.get(inboxCollection, message.id)
    if (stored?.line == null) return undefined
    const now = textOf(clock.now())
    transaction.put(inboxCollection, settled(stored, outcome, now))
    if (conversation) {
      const current = (await transaction.get(conversationCollection, conversation.id)) ?? conversation
      transaction.put(conversationCollection, { ...change(current), changed_at: now })
    }
    if (!connection || !conversation || notice === undefined) return undefined
    const at = { conversationId: message.conversation.id, userId: conversation.user_id, text: notice, now: clock.now() }
    const said = noticeOf(connection, { ...at, reply_to: connection.form.replies ? message.vendor_id : null })
    transaction.insert(deliveryCollection, said)
    return said
  })
  if (outcome !== 'run') metrics.received(connection?.channel ?? 'unknown', outcome)
  await forgetFiles(parts, message)
  if (delivery?.line != null) onDelivery(delivery.connection_id, delivery.line)
}
