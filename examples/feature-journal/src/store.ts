import { type Collection, type Database, defineCollection, type Query, type StoredObject } from '@agent-service/sdk/services/database'
import type { PluginEvents } from '@agent-service/sdk/services/events'

/** An entry of a person's journal. */
export interface Entry {
  readonly id: string
  readonly user_id: string
  readonly notebook: string
  readonly text: string
  /** The chat that it came from and is deleted with; null: none. */
  readonly chat_id: string | null
  /** Milliseconds since 1970. */
  readonly written_at: number
}

/** A notebook, under `<user id>/<name>`. */
export interface Notebook {
  readonly id: string
  readonly user_id: string
  readonly name: string
}

export const entries = defineCollection<Entry>()({
  name: 'feature_journal.entries',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'written_at', 'id'] },
    by_chat: { fields: ['chat_id', 'written_at', 'id'] },
    by_time: { fields: ['written_at'] },
  },
})
export const notebooks = defineCollection<Notebook>()({
  name: 'feature_journal.notebooks',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'name'] } },
})

export const ofUser = (userId: string): Query => ({ index: 'by_user', equals: [userId] })
export const ofChat = (chatId: string): Query => ({ index: 'by_chat', equals: [chatId] })

/** Everything that a query finds, page by page. */
export async function* all<Document extends StoredObject>(
  collection: Collection<Document>,
  query: Query,
  signal: AbortSignal,
): AsyncGenerator<Document> {
  let cursor: string | undefined
  do {
    signal.throwIfAborted()
    const page = await collection.query({ ...query, limit: 200, ...(cursor !== undefined && { cursor }) })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

export type Journal = ReturnType<typeof openJournal>

/** The stored journals of all users. */
export const openJournal = (database: Database, events: PluginEvents) => ({
  entries: database.collection(entries),
  notebooks: database.collection(notebooks),
  /**
   * Writes an entry and reports it, in one transaction. An existing id changes nothing, so the call
   * is idempotent.
   */
  write: (entry: Entry): Promise<void> =>
    database.transaction(async (transaction) => {
      if (await transaction.get(entries, entry.id)) return
      transaction.insert(entries, entry)
      const data = { entry_id: entry.id, chat_id: entry.chat_id }
      events.record(transaction, { userId: entry.user_id, name: 'feature-journal.written', data })
    }),
})
