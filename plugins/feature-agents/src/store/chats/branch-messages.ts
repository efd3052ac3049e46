import type { Database } from '@agent-service/sdk/services/database'
import type { Segment } from './chat.js'
import { type Message, messageCollection } from './message.js'

/**
 * How many messages the first page has, after which most readers stop, and how many later pages
 * have at most.
 */
const firstPage = 50
const maxPageSize = 200

/**
 * The messages of one path through a chat, page by page, so that only the requested ones are read.
 * `from` and `to` (exclusive) are sequences.
 */
export async function* messagesAlong(
  database: Database,
  path: readonly Segment[],
  options: { readonly order: 'ascending' | 'descending'; readonly from?: number; readonly to?: number; readonly pageSize?: number },
): AsyncIterable<Message> {
  const messages = database.collection(messageCollection)
  const pieces = path.map((segment, index) => ({
    branchId: segment.branch_id,
    from: Math.max(segment.from, options.from ?? 0),
    to: Math.min(path[index + 1]?.from ?? Number.MAX_SAFE_INTEGER, options.to ?? Number.MAX_SAFE_INTEGER),
  }))
  if (options.order === 'descending') pieces.reverse()
  let limit = options.pageSize ?? firstPage
  for (const piece of pieces) {
    if (piece.from >= piece.to) continue
    let cursor: string | undefined
    do {
      const page = await messages.query({
        index: 'by_branch',
        equals: [piece.branchId],
        from: piece.from,
        to: piece.to,
        order: options.order,
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      })
      yield* page.items
      limit = Math.min(2 * limit, maxPageSize)
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
}
