import type { Collection, Query, StoredObject } from '@agent-service/sdk/services/database'

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
