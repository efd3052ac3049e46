import type { Transaction } from '@agent-service/sdk/services/database'
import type { Chat } from '../chats/chat.js'
import { type ChatTag, chatTagCollection, tagKey, tagRecordId, type UserTag, userTagCollection } from './tag.js'

/**
 * Brings the records of a chat's tags up to date with a change of the chat, in the transaction that
 * stores it. `before` is undefined for a new chat, `after` for one that is being deleted. A hidden
 * chat has no tags. A chat without tags costs nothing.
 */
export async function storeTags(transaction: Transaction, before: Chat | undefined, after: Chat | undefined): Promise<void> {
  const old = byKey(before)
  const current = byKey(after)
  for (const key of old.keys()) if (!current.has(key) && before) await removeTag(transaction, before, key)
  if (!after) return
  for (const [key, tag] of current) {
    if (!old.has(key)) await countTag(transaction, after, key, tag)
    transaction.put(chatTagCollection, recordOf(after, key))
  }
}

const byKey = (chat: Chat | undefined): ReadonlyMap<string, string> => new Map(chat?.tags.map((tag) => [tagKey(tag), tag]))

const recordOf = (chat: Chat, key: string): ChatTag => ({
  id: tagRecordId(chat.id, key),
  user_id: chat.user_id,
  chat_id: chat.id,
  key,
  listing: chat.listing,
  pinned: chat.pinned,
  space_id: chat.space_id,
  active_at: chat.updated_at,
})

async function removeTag(transaction: Transaction, chat: Chat, key: string): Promise<void> {
  transaction.delete(chatTagCollection, tagRecordId(chat.id, key))
  const id = tagRecordId(chat.user_id, key)
  const counted = await transaction.get(userTagCollection, id)
  if (!counted) return
  if (counted.chats <= 1) transaction.delete(userTagCollection, id)
  else transaction.put(userTagCollection, { ...counted, chats: counted.chats - 1 })
}

async function countTag(transaction: Transaction, chat: Chat, key: string, tag: string): Promise<void> {
  const id = tagRecordId(chat.user_id, key)
  const counted: UserTag = (await transaction.get(userTagCollection, id)) ?? { id, user_id: chat.user_id, key, tag, chats: 0 }
  transaction.put(userTagCollection, { ...counted, chats: counted.chats + 1 })
}
