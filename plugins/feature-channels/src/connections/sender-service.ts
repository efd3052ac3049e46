import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import { documentsOf } from '@agent-service/sdk/services/database'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { channelStateError } from '../common/errors.js'
import { idOf } from '../common/ids.js'
import { maxSenders } from '../common/limits.js'
import { textOf } from '../common/time.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { forgetSender, heldBy, letIn, reportSenders } from '../senders/let-in.js'
import type { Connection } from '../store/connection.js'
import { inboxCollection, settled } from '../store/inbox.js'
import { type Sender, type SenderRole, type SenderState, senderCollection } from '../store/sender.js'

/** The people of one connection: who was let in, who was not, and who asks. */
export interface SenderService {
  list(connection: Connection, state?: SenderState): Promise<readonly Sender[]>
  /** Lets a person in whose id at the vendor is known. @throws `quota_exceeded`, `channel_state`. */
  add(connection: Connection, sender: { readonly sender_id: string; readonly name: string; readonly role: SenderRole }): Promise<Sender>
  /** Lets a person in, with what they have written meanwhile. @throws `not_found`. */
  approve(connection: Connection, id: string, role: SenderRole): Promise<Sender>
  /** Refuses a person, who gets no answer any more. @throws `not_found`. */
  deny(connection: Connection, id: string): Promise<Sender>
  /** Forgets a person: they are as unknown as at first. @throws `not_found`. */
  remove(connection: Connection, id: string): Promise<void>
}

export function createSenderService(parts: ChannelParts, refresh: (connectionId: string) => Promise<void>): SenderService {
  const { database, clock } = parts
  const approve = async (connection: Connection, id: string, role: SenderRole): Promise<Sender> => {
    const sender = await letIn(parts, connection, id, { role, userId: connection.user_id })
    await refresh(connection.id)
    return sender
  }
  return {
    async list(connection, state) {
      const all: Sender[] = []
      for await (const sender of documentsOf(database, senderCollection, {
        ...{ index: 'by_connection', equals: state === undefined ? [connection.id] : [connection.id, state] },
      }))
        all.push(sender)
      return all
    },
    async add(connection, { sender_id: senderId, name, role }) {
      if (connection.user_id === null)
        throw channelStateError.create({
          reason: 'People pair themselves with a shared connection: it cannot know which account a person has.',
        })
      const all = await database.collection(senderCollection).query({ index: 'by_connection', equals: [connection.id], limit: 200 })
      const id = idOf(connection.id, senderId)
      const now = textOf(clock.now())
      const isFull = all.nextCursor !== undefined && (await countAtLeast(parts, connection, maxSenders))
      if (isFull) throw quotaExceededError.create({ counts: 'people of one connection', max: maxSenders, used: maxSenders })
      await database.transaction(async (transaction) => {
        if (await transaction.get(senderCollection, id)) return
        transaction.insert(senderCollection, {
          ...{ id, connection_id: connection.id, user_id: connection.user_id, sender_id: senderId, name, state: 'pending', role: 'guest' },
          ...{ code: null, code_expires_at: null, conversation_id: null, held: 0, created_at: now, changed_at: now },
        })
      })
      return approve(connection, id, role)
    },
    approve(connection, id, role) {
      if (connection.user_id === null)
        throw channelStateError.create({ reason: 'The person enters the code themselves, in their own account.' })
      return approve(connection, id, role)
    },
    async deny(connection, id) {
      const held = await heldBy(parts, id)
      return database.transaction(async (transaction) => {
        const stored = await transaction.get(senderCollection, id)
        if (!stored || stored.connection_id !== connection.id) throw notFoundError.create({ what: 'person' })
        const now = textOf(clock.now())
        const next: Sender = { ...stored, state: 'denied', code: null, code_expires_at: null, held: 0, changed_at: now }
        transaction.put(senderCollection, next)
        for (const { id: messageId } of held) {
          const message = await transaction.get(inboxCollection, messageId)
          if (message?.held_for === id) transaction.put(inboxCollection, settled(message, 'denied', now))
        }
        reportSenders(parts, transaction, connection)
        return next
      })
    },
    async remove(connection, id) {
      const isOfIt = (stored: Sender): boolean => stored.connection_id === connection.id
      await forgetSender(parts, id, isOfIt, (message) => settled(message, 'not_allowed', textOf(clock.now())))
    },
  }
}

async function countAtLeast({ database }: ChannelParts, { id }: Connection, max: number): Promise<boolean> {
  let count = 0
  for await (const _ of documentsOf(database, senderCollection, { index: 'by_connection', equals: [id] })) {
    count += 1
    if (count >= max) return true
  }
  return false
}
