import type { CollectionDefinition, Database, StoredObject } from '@agent-service/sdk/services/database'

/**
 * Deletes every document whose first field of an index is below `to`, a page at a time. Stops when
 * aborted; the next call continues.
 */
export async function deleteOlder<Document extends StoredObject>(options: {
  readonly database: Database
  readonly collection: CollectionDefinition<Document>
  readonly index: string
  readonly to: string
  readonly signal: AbortSignal
}): Promise<void> {
  const { database, collection, index, to, signal } = options
  let left = true
  while (left && !signal.aborted) {
    const page = await database.collection(collection).query({ index, to, limit: 200 })
    await database.transaction(async (transaction) => {
      for (const { id } of page.items) transaction.delete(collection, id)
    })
    left = page.nextCursor !== undefined
  }
}
