import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Transaction } from '@agent-service/sdk/services/database'
import { ownDocument } from '../common/own-document.js'
import type { ChatParts } from '../points/parts/chat-parts.js'
import { type Chat, chatCollection, runsUnderWay } from '../store/chats/chat.js'
import { deletedChatCollection, erasedAt } from '../store/chats/deleted-chat.js'
import { titleTaskCollection } from '../store/chats/title-task.js'
import { isFinished, runCollection } from '../store/runs/run.js'
import { storeTags } from '../store/tags/store-tags.js'
import { cancelIfThere, type ErasingParts, eraseChat } from './erase-chat.js'
import { markHiddenUnder } from './hidden-chats.js'

/** The dependencies of a deletion. */
export interface DeletingParts extends ErasingParts {
  readonly parts: Pick<ChatParts, 'erase' | 'rest'>
  /** How long a deleted chat can be restored; 0: not at all. */
  readonly keepDays: number
}

/**
 * Deletes a chat: it is hidden at once, its run is stopped, and it can be restored for some days. A
 * chat that no list has, such as a temporary one, is erased instead, as nobody would find it, and so is
 * one without messages.
 * @throws `not_found` if the user has no such chat; `chat_part_failed` from an erasure.
 */
export async function deleteChat(
  dependencies: DeletingParts,
  request: { readonly chatId: string; readonly userId: string; readonly signal: AbortSignal },
): Promise<void> {
  const { database, clock, keepDays } = dependencies
  const { chatId, userId } = request
  const now = new Date(clock.now()).toISOString()
  const deleted = await database.transaction(async (transaction) => {
    const chat = ownDocument('chat', await transaction.get(chatCollection, chatId), userId)
    if (await transaction.get(deletedChatCollection, chatId)) throw notFoundError.create({ what: 'chat' })
    if (keepDays === 0 || chat.listing === 'hidden' || isEmpty(chat) || chat.deleting) return undefined
    await hide(dependencies, transaction, chat, now)
    return chat
  })
  if (!deleted) return eraseChat(dependencies, request)
  await stopDeleted(dependencies, request)
}

/** Stops what works for a deleted chat. If it is interrupted, it is repeated by the job that finishes deletions. */
export async function stopDeleted(
  { database, runs, parts }: Pick<DeletingParts, 'database' | 'runs' | 'parts'>,
  { chatId, userId, signal }: { readonly chatId: string; readonly userId: string; readonly signal: AbortSignal },
): Promise<void> {
  const chat = await database.collection(chatCollection).get(chatId)
  // It may have been restored, and go on.
  if (chat?.listing !== 'deleted') return
  for (const runId of runsUnderWay(chat)) await cancelIfThere(runs, runId, signal)
  await parts.rest({ chatId, userId }, signal)
  for await (const id of markHiddenUnder(database, chatId)) await parts.rest({ chatId: id, userId }, signal)
  await database.transaction(async (transaction) => {
    const record = await transaction.get(deletedChatCollection, chatId)
    if (record) transaction.put(deletedChatCollection, { ...record, stopping_since: null })
  })
}

const isEmpty = ({ message_count, branch_count }: Chat): boolean => message_count === 0 && branch_count === 1

/** The chat keeps its tags and its space, with which it comes back. */
async function hide({ events, keepDays }: DeletingParts, transaction: Transaction, chat: Chat, now: string): Promise<void> {
  const { id, user_id, listing } = chat
  await storeTags(transaction, chat, undefined)
  transaction.delete(titleTaskCollection, id)
  transaction.put(chatCollection, { ...chat, listing: 'deleted', deleting: true })
  transaction.put(deletedChatCollection, { id, user_id, deleted_at: now, listing, stopping_since: now })
  // Stored with the deletion, so that a crash before the run has stopped does not resume it.
  for (const runId of runsUnderWay(chat)) {
    const run = await transaction.get(runCollection, runId)
    if (run && !isFinished(run) && run.cancel_requested_at === null) transaction.put(runCollection, { ...run, cancel_requested_at: now })
  }
  events.record(transaction, {
    userId: user_id,
    name: 'chat.deleted',
    data: { chat_id: id, erased_at: erasedAt(now, keepDays) },
  })
}
