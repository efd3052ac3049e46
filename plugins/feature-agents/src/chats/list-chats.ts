import { pageOfIndex } from '@agent-service/sdk/contracts/http-route'
import type { Database, Query } from '@agent-service/sdk/services/database'
import { type Chat, type ChatListing, chatCollection } from '../store/chats/chat.js'
import { chatTagCollection, tagKey } from '../store/tags/tag.js'

/** Which chats of a user, and in which order. */
export interface ChatSelection {
  readonly userId: string
  readonly listing: Extract<ChatListing, 'current' | 'archived'>
  /** A space of the user. Default: chats in and out of spaces. */
  readonly spaceId?: string | undefined
  readonly pinned?: boolean | undefined
  readonly tag?: string | undefined
  /** Default: by time alone. */
  readonly pinnedFirst?: boolean | undefined
}

/**
 * One page of chats, the latest first. Each selection has an index of its own, so that a page costs
 * the same however many chats there are. @throws `cursor_invalid`.
 */
export async function listChats(
  database: Database,
  selection: ChatSelection,
  query: { readonly limit?: number; readonly cursor?: string },
): Promise<{ readonly items: readonly Chat[]; readonly next_cursor: string | null }> {
  const chats = database.collection(chatCollection)
  if (selection.tag === undefined)
    return pageOfIndex(chats, placeOf(selection, ['by_listing', 'by_pinned', 'by_space', 'by_space_pinned']), query)
  const place = placeOf(selection, ['by_tag', 'by_tag_pinned', 'by_tag_space', 'by_tag_space_pinned'], [tagKey(selection.tag.trim())])
  const page = await pageOfIndex(database.collection(chatTagCollection), place, query)
  const found = await Promise.all(page.items.map(({ chat_id }) => chats.get(chat_id)))
  // A chat may have been deleted since.
  return { items: found.filter((chat) => chat !== undefined), next_cursor: page.next_cursor }
}

/** The indexes with and without the pin, of a user and of a space. */
function placeOf(
  { userId, listing, spaceId, pinned, pinnedFirst = false }: ChatSelection,
  [all, allPinned, inSpace, inSpacePinned]: readonly [string, string, string, string],
  key: readonly string[] = [],
): Pick<Query, 'index' | 'equals' | 'order'> {
  const byPin = pinned !== undefined || pinnedFirst
  return {
    index: spaceId === undefined ? (byPin ? allPinned : all) : byPin ? inSpacePinned : inSpace,
    equals: [spaceId ?? userId, ...key, listing, ...(pinned === undefined ? [] : [pinned])],
    order: 'descending',
  }
}
