import type { CollectionDefinition, Database, StoredObject } from '@agent-service/sdk/services/database'

/** Deletes every document whose index begins with this value, 100 per transaction. */
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
