import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { maxPending, minPendingMs } from '../common/limits.js'
import { textOf } from '../common/time.js'
import { type InboxMessage, inboxCollection, settled } from '../store/inbox.js'
import { type Sender, senderCollection } from '../store/sender.js'

/** Someone who waits to be let in, with what is held for them. */
interface Waiting {
  readonly sender: Sender
  readonly held: readonly InboxMessage[]
}

/** The places of those who ask to be let in over one connection, while messages of it are stored. */
export interface PendingPlaces {
  /**
   * Whether one more may ask. Where all places are taken, who waits for longest makes place, if they
   * have had the time in which a code is typed: so strangers neither close the door nor push each other out at will.
   */
  take(transaction: Transaction, now: number): Promise<boolean>
}

/** As it is now: read before the transaction that takes places, and anew for each attempt of it. */
export async function readPendingPlaces(database: Pick<Database, 'collection'>, connectionId: string): Promise<() => PendingPlaces> {
  const page = await database
    .collection(senderCollection)
    .query({ index: 'by_connection', equals: [connectionId, 'pending'], limit: maxPending + 1 })
  const isFull = page.items.length >= maxPending
  const waiting: Waiting[] = []
  // Only those who may have to go are read.
  for (const sender of isFull ? page.items : [])
    waiting.push({
      sender,
      held: (await database.collection(inboxCollection).query({ index: 'by_held', equals: [sender.id], limit: 200 })).items,
    })
  waiting.sort((one, other) => (one.sender.created_at < other.sender.created_at ? -1 : 1))
  return () => {
    let taken = page.items.length
    const queue = [...waiting]
    return {
      async take(transaction, now) {
        while (taken >= maxPending) {
          const oldest = queue.shift()
          if (!oldest || Date.parse(oldest.sender.created_at) + minPendingMs > now) return false
          const stored = await transaction.get(senderCollection, oldest.sender.id)
          if (stored?.state === 'pending') {
            transaction.delete(senderCollection, stored.id)
            for (const { id } of oldest.held) {
              const message = await transaction.get(inboxCollection, id)
              if (message?.held_for === stored.id) transaction.put(inboxCollection, settled(message, 'asked_in_vain', textOf(now)))
            }
          }
          taken -= 1
        }
        taken += 1
        return true
      },
    }
  }
}
