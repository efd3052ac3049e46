import type { Collection, CollectionDefinition, Database, Query, StoredObject } from '@agent-service/sdk/services/database'

/**
 * Every document of a query, read page by page. Stops between two pages with the signal's reason.
 */
export async function* allOf<Document extends StoredObject>(
  collection: Pick<Collection<Document>, 'query'>,
  query: Omit<Query, 'limit' | 'cursor'>,
  signal?: AbortSignal,
): AsyncGenerator<Document, void, undefined> {
  let cursor: string | undefined
  do {
    signal?.throwIfAborted()
    const page = await collection.query({ ...query, limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

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
