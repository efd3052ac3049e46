import { notFoundError, pageOfIndex } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { ownDocument } from '../common/own-document.js'
import { type Chat, chatCollection, presentChat } from '../store/chats/chat.js'
import { type DeletedChat, deletedChatCollection, presentDeletedChat } from '../store/chats/deleted-chat.js'
import { storeTags } from '../store/tags/store-tags.js'
import { type ErasingParts, eraseChat } from './erase-chat.js'
import { markHiddenUnder } from './hidden-chats.js'

/** Identifies a deleted chat of a user. */
interface OwnChat {
  readonly chatId: string
  readonly userId: string
}

/** One page of the deleted chats of a user, the latest first. @throws `cursor_invalid`. */
export async function listDeletedChats(
  database: Database,
  { userId, keepDays }: { readonly userId: string; readonly keepDays: number },
  query: { readonly limit?: number; readonly cursor?: string },
) {
  const scope = { index: 'by_user', equals: [userId], order: 'descending' } as const
  const page = await pageOfIndex(database.collection(deletedChatCollection), scope, query)
  const chats = await Promise.all(page.items.map(({ id }) => database.collection(chatCollection).get(id)))
  // A chat may have been erased since.
  const items = page.items.flatMap((deleted, index) => {
    const chat = chats[index]
    return chat ? [presentDeletedChat(deleted, chat, keepDays)] : []
  })
  return { items, next_cursor: page.next_cursor, keep_days: keepDays }
}

/** Brings a deleted chat back to the list where it was, with its tags. @throws `not_found`. */
export async function restoreChat(
  {
    database,
    events,
    audit,
  }: { readonly database: Database; readonly events: Pick<Events, 'record'>; readonly audit: Pick<Audit, 'record'> },
  { chatId, userId }: OwnChat,
): Promise<Chat> {
  // Before the chat, so that an interrupted restoration can be repeated.
  const record = await database.collection(deletedChatCollection).get(chatId)
  if (record?.user_id === userId) for await (const _ of markHiddenUnder(database, chatId, { restoring: true }));
  const chat = await database.transaction(async (transaction) => {
    const { listing } = await ownDeleted(transaction, chatId, userId)
    const chat = ownDocument('chat', await transaction.get(chatCollection, chatId), userId)
    const restored: Chat = { ...chat, listing, deleting: false }
    transaction.put(chatCollection, restored)
    transaction.delete(deletedChatCollection, chatId)
    await storeTags(transaction, undefined, restored)
    audit.record(transaction, { kind: 'chat.restored', subject: chatId })
    events.record(transaction, { userId, name: 'chat.updated', data: { chat_id: chatId, chat: presentChat(restored) } })
    return restored
  })
  // Its deletion may still have been marking them.
  for await (const _ of markHiddenUnder(database, chatId));
  return chat
}

/** Deletes a deleted chat for good. @throws `not_found`, `chat_part_failed`. */
export function eraseDeletedChat(
  dependencies: ErasingParts & { readonly audit: Pick<Audit, 'record'> },
  { chatId, userId, signal }: OwnChat & { readonly signal: AbortSignal },
): Promise<void> {
  return eraseChat(dependencies, {
    chatId,
    userId,
    signal,
    async admit(transaction) {
      await ownDeleted(transaction, chatId, userId)
      dependencies.audit.record(transaction, { kind: 'chat.erased', subject: chatId })
      return true
    },
  })
}

/** @throws `not_found`. */
async function ownDeleted(transaction: Transaction, chatId: string, userId: string): Promise<DeletedChat> {
  const deleted = await transaction.get(deletedChatCollection, chatId)
  if (deleted?.user_id !== userId) throw notFoundError.create({ what: 'chat' })
  return deleted
}
