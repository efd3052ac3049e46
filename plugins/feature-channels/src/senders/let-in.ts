import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Transaction } from '@agent-service/sdk/services/database'
import { idOf } from '../common/ids.js'
import { textOf } from '../common/time.js'
import { noticeOf } from '../outbox/new-delivery.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { type Connection, connectionCollection } from '../store/connection.js'
import { deliveryCollection } from '../store/delivery.js'
import { type InboxMessage, inboxCollection, lineOf } from '../store/inbox.js'
import { type Sender, type SenderRole, senderCollection } from '../store/sender.js'

/** As whom a person is let in. */
export interface LetIn {
  readonly role: SenderRole
  readonly userId: string | null
  /** Looks at the person once more, in the transaction; may throw. */
  readonly check?: (stored: Sender) => void
}

/** What a person has written who is not let in yet, the oldest first. */
export const heldBy = async ({ database }: Pick<ChannelParts, 'database'>, id: string): Promise<readonly InboxMessage[]> =>
  (await database.collection(inboxCollection).query({ index: 'by_held', equals: [id], limit: 200 })).items

/** The people of a connection have changed. */
export function reportSenders(
  { events }: Pick<ChannelParts, 'events'>,
  transaction: Transaction,
  { id, user_id: userId }: Connection,
): void {
  if (userId !== null) events.record(transaction, { userId, name: 'channel.updated', data: { connection_id: id, change: 'pairing' } })
}

/** Lets a person in, with what they have written meanwhile. @throws `not_found`, and what `check` throws. */
export async function letIn(parts: ChannelParts, connection: Connection, id: string, as: LetIn): Promise<Sender> {
  const { database, clock } = parts
  const held = await heldBy(parts, id)
  return database.transaction(async (transaction) => {
    const current = await transaction.get(connectionCollection, connection.id)
    if (!current || current.user_id !== connection.user_id) throw notFoundError.create({ what: 'connection to a channel' })
    const stored = await transaction.get(senderCollection, id)
    if (!stored || stored.connection_id !== connection.id) throw notFoundError.create({ what: 'person' })
    as.check?.(stored)
    const next: Sender = {
      ...stored,
      ...{ state: 'approved', role: as.role, user_id: as.userId, code: null, code_expires_at: null, held: 0 },
      changed_at: textOf(clock.now()),
    }
    transaction.put(senderCollection, next)
    for (const { id: messageId } of held) {
      const message = await transaction.get(inboxCollection, messageId)
      if (message?.held_for === id)
        transaction.put(inboxCollection, {
          ...message,
          ...{ user_id: as.userId, held_for: null, line: lineOf(connection.id, idOf(message.conversation.id)) },
        })
    }
    if (stored.state === 'pending' && stored.conversation_id !== null)
      transaction.insert(
        deliveryCollection,
        noticeOf(connection, {
          ...{ conversationId: stored.conversation_id, userId: as.userId, now: clock.now() },
          text: 'You are let in: write, and the agent answers. /help says more.',
        }),
      )
    reportSenders(parts, transaction, connection)
    return next
  })
}

/** Forgets a person, and passes over what was held for them. @throws `not_found`, unless `isRight`. */
export async function forgetSender(
  parts: ChannelParts,
  id: string,
  isRight: (stored: Sender) => boolean,
  settle: (message: InboxMessage) => InboxMessage,
): Promise<Sender> {
  const { database } = parts
  const held = await heldBy(parts, id)
  return database.transaction(async (transaction) => {
    const stored = await transaction.get(senderCollection, id)
    if (!stored || !isRight(stored)) throw notFoundError.create({ what: 'person' })
    transaction.delete(senderCollection, id)
    for (const { id: messageId } of held) {
      const message = await transaction.get(inboxCollection, messageId)
      if (message?.held_for === id) transaction.put(inboxCollection, settle(message))
    }
    const connection = await transaction.get(connectionCollection, stored.connection_id)
    if (connection) reportSenders(parts, transaction, connection)
    return stored
  })
}
