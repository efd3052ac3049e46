import type { MemoryChatChange } from '@agent-service/sdk/contracts/memory-backend'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { documentId } from '../common/ids.js'
import { later } from '../store/make-memory.js'
import { type ChatCursor, cursorCollection, queueCollection } from '../store/pass-records.js'

/**
 * Notes what has happened in a chat; the sweep does the rest. Reports may come twice, late, or out
 * of order: the latest decision about what is remembered counts, and a deleted chat stays deleted.
 */
export async function noteChatChange(
  { database, idleMs }: { readonly database: Database; readonly idleMs: number },
  change: MemoryChatChange,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  await database.transaction(
    async (transaction) => {
      const id = documentId(change.userId, change.chatId)
      const before = await transaction.get(cursorCollection, id)
      const after = withChange(before ?? newCursor(id, change), change)
      if (before !== undefined && JSON.stringify(before) === JSON.stringify(after)) return
      transaction.put(cursorCollection, after)
      if (!after.pending) return
      const due = after.deleted ? 0 : Date.parse(after.last_activity_at) + idleMs
      await makeDue(transaction, change.userId, new Date(due).toISOString())
    },
    { signal },
  )
}

function withChange(cursor: ChatCursor, { reason, at }: MemoryChatChange): ChatCursor {
  const isLatest = cursor.decided_at === null || cursor.decided_at <= at
  switch (reason) {
    case 'messages':
      return cursor.deleted ? cursor : { ...cursor, last_activity_at: later(cursor.last_activity_at, at), pending: true }
    case 'deleted':
      return { ...cursor, deleted: true, pending: true }
    case 'excluded':
      return isLatest ? { ...cursor, excluded: true, decided_at: at } : cursor
    case 'included':
      // What was said before is not learnt: the person wanted nothing of it remembered.
      return isLatest ? { ...cursor, excluded: false, decided_at: at, learn_after: at, pending: true } : cursor
  }
}

const newCursor = (id: string, { userId, chatId, at }: MemoryChatChange): ChatCursor => ({
  ...{ id, user_id: userId, chat_id: chatId, through: 0, marks: [], last_activity_at: at, pending: false },
  ...{ excluded: false, learn_after: null, decided_at: null, deleted: false },
})

/**
 * Has the user looked at by the first sweep after that time. It writes also what stands already: a
 * sweep that is about to take the user out of the queue then begins again and sees the new work.
 */
export async function makeDue(transaction: Transaction, userId: string, at: string): Promise<void> {
  const known = await transaction.get(queueCollection, userId)
  const due = known === undefined || at < known.due_at ? at : known.due_at
  transaction.put(queueCollection, { id: userId, user_id: userId, due_at: due })
}
