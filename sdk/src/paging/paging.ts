import type { Static, TObject, TSchema } from 'typebox'
import { defineError } from '../core/errors.js'
import { named, nameOfSchema } from '../core/named.js'
import { Type } from '../core/type.js'
import type { Collection, Query, StoredObject } from '../services/database.js'

/** A cursor of another list. */
export const pageCursorError = defineError<Record<string, never>>({
  code: 'cursor_invalid',
  status: 422,
  title: 'Invalid cursor',
  message: () => 'The cursor was not issued by this list. Pass next_cursor of the previous page, or omit it to start over.',
})

/**
 * The query of every list: `limit` (1 to 200, default 50) and `cursor`, which is `next_cursor` of
 * the page before.
 */
export const pageQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many items at most.' })),
  cursor: Type.Optional(Type.String({ maxLength: 2_000, description: '`next_cursor` of the page before.' })),
})

/**
 * The answer of every list: `items`, and `next_cursor`, which is null on the last page. Items named
 * `Chat` make pages named `ChatPage`.
 */
export function pageSchema(item: TSchema): TObject {
  const next_cursor = Type.Union([Type.String(), Type.Null()], {
    description: 'Pass it as `cursor` to get the next page; null on the last one.',
    examples: [null],
  })
  const page = Type.Object({ items: Type.Array(item), next_cursor })
  const name = nameOfSchema(item)
  return name === undefined ? page : named(`${name}Page`, page)
}

/**
 * One page of a list that is in memory and in a fixed order. The cursor names the last item given,
 * so a page stays right while items before it come and go. @throws `cursor_invalid`.
 */
export function pageOfList<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  query: Static<typeof pageQuerySchema>,
): { readonly items: readonly Item[]; readonly next_cursor: string | null } {
  const after = query.cursor === undefined ? -1 : items.findIndex((item) => keyOf(item) === decode(query.cursor ?? ''))
  if (query.cursor !== undefined && after < 0) throw pageCursorError.create({})
  const page = items.slice(after + 1, after + 1 + (query.limit ?? 50))
  const last = page.at(-1)
  const more = last !== undefined && after + 1 + page.length < items.length
  return { items: page, next_cursor: more ? Buffer.from(keyOf(last), 'utf8').toString('base64url') : null }
}

/**
 * One page of what a collection has in an index, in the order of that index. `place` says which
 * documents, the request's query how many and from where.
 * @throws `query_invalid` when the place does not fit the index, `cursor_invalid`.
 */
export async function pageOfIndex<Document extends StoredObject>(
  collection: Pick<Collection<Document>, 'query'>,
  place: Omit<Query, 'limit' | 'cursor'>,
  query: Static<typeof pageQuerySchema>,
): Promise<{ readonly items: readonly Document[]; readonly next_cursor: string | null }> {
  const { limit = 50, cursor } = query
  const { items, nextCursor = null } = await collection.query({ ...place, limit, ...(cursor !== undefined && { cursor }) })
  return { items, next_cursor: nextCursor }
}

const decode = (cursor: string): string => Buffer.from(cursor, 'base64url').toString('utf8')
