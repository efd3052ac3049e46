import type { CollectionDefinition, Database, StoredObject } from '@agent-service/sdk/services/database'
import { messageCollection } from '../messages/message.js'
import { runCollection } from '../runs/run.js'
import { runStepCollection } from '../runs/run-step.js'
import { chatCollection } from './chat.js'

/**
 * Deletes a chat and everything that hangs on it, in pieces of bounded size. The chat goes last, so that a deletion that was interrupted can be
 * asked for again.
 */
export async function deleteChat(database: Database, chatId: string): Promise<void> {
  const runs = database.collection(runCollection)
  for (;;) {
    const page = await runs.query({ index: 'by_chat', equals: [chatId], limit: 50 })
    for (const run of page.items) {
      await deleteByIndex(database, runStepCollection, 'by_run', run.id)
      await runs.delete(run.id)
    }
    if (page.items.length === 0) break
  }
  await deleteByIndex(database, messageCollection, 'by_chat', chatId)
  await database.collection(chatCollection).delete(chatId)
}

/** Deletes every document whose index begins with this value, 100 in a transaction. */
export async function deleteByIndex<Document extends StoredObject>(
  database: Database,
  collection: CollectionDefinition<Document>,
  index: string,
  value: string,
): Promise<void> {
  const documents = database.collection(collection)
  for (;;) {
    const page = await documents.query({ index, equals: [value], limit: 100 })
    if (page.items.length === 0) return
    await database.transaction(async (transaction) => {
      for (const document of page.items) transaction.delete(collection, document.id)
    })
  }
}
