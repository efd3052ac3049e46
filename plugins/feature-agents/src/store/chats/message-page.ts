import type { Database } from '@agent-service/sdk/services/database'
import { messagesAlong } from './branch-messages.js'
import type { Segment } from './chat.js'
import type { Message } from './message.js'

/** The most text of one page as JSON, in UTF-16 code units; a page has at least one message. */
const maxLength = 4 * 1024 * 1024

/** Where a page of messages begins, or the message before which it ends. */
export type PageBoundary = { readonly from: number } | { readonly before: number }

/**
 * One page of a path through a chat, from old to new. `next`: the sequence of the message after it,
 * if there is one.
 */
export async function messagePage(
  database: Database,
  path: readonly Segment[],
  place: PageBoundary,
  limit: number,
): Promise<{ readonly items: readonly Message[]; readonly next: number | undefined }> {
  const backwards = 'before' in place
  const items: Message[] = []
  let length = 0
  let more = false
  const pageSize = Math.min(limit + 1, 200)
  const messages = backwards
    ? messagesAlong(database, path, { order: 'descending', to: place.before, pageSize })
    : messagesAlong(database, path, { order: 'ascending', from: place.from, pageSize })
  for await (const message of messages) {
    length += items.length === 0 ? 0 : JSON.stringify(message.content).length
    if (items.length === limit || length > maxLength) {
      more = true
      break
    }
    items.push(message)
  }
  if (backwards) return { items: items.reverse(), next: undefined }
  const last = items.at(-1)
  return { items, next: more && last ? last.sequence + 1 : undefined }
}
