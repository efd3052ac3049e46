import type { CollectionDefinition, Database, StoredObject } from '@agent-service/sdk/services/database'

/** Every line of a connection that has something in it, each by one step over the index `by_line`. */
export async function* linesOf<Document extends StoredObject & { readonly line: string | null }>(
  database: Pick<Database, 'collection'>,
  collection: CollectionDefinition<Document>,
  connectionId: string,
): AsyncIterable<string> {
  // A slash is followed by a zero.
  const to = `${connectionId}0`
  let from = `${connectionId}/`
  for (;;) {
    const [first] = (await database.collection(collection).query({ index: 'by_line', from, to, limit: 1 })).items
    if (first?.line == null) return
    yield first.line
    from = `${first.line}\u0001`
  }
}

/** The one whose turn it is in a line. */
export async function firstOf<Document extends StoredObject>(
  database: Pick<Database, 'collection'>,
  collection: CollectionDefinition<Document>,
  line: string,
): Promise<Document | undefined> {
  return (await database.collection(collection).query({ index: 'by_line', equals: [line], limit: 1 })).items[0]
}
