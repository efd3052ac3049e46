import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { deleteByIndex } from '../common/delete-by-index.js'
import { ownDocument } from '../common/own-document.js'
import type { ChatParts } from '../points/parts/chat-parts.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import { branchCollection } from '../store/chats/branch.js'
import { type Chat, chatCollection, runsUnderWay } from '../store/chats/chat.js'
import { chatDeletionCollection } from '../store/chats/chat-deletion.js'
import { conversationCollection } from '../store/chats/conversation.js'
import { deletedChatCollection } from '../store/chats/deleted-chat.js'
import { messageCollection } from '../store/chats/message.js'
import { summaryCollection } from '../store/chats/summary.js'
import { temporaryChatCollection } from '../store/chats/temporary-chat.js'
import { titleTaskCollection } from '../store/chats/title-task.js'
import { approvalCollection } from '../store/runs/approval.js'
import { resultPieceCollection } from '../store/runs/result-piece.js'
import { isFinished, runCollection } from '../store/runs/run.js'
import { runStepCollection } from '../store/runs/run-step.js'
import { storeTags } from '../store/tags/store-tags.js'
import { hiddenChatsBelow } from './hidden-chats.js'

/** The dependencies of an erasure. */
export interface ErasingParts {
  readonly database: Database
  readonly events: Pick<Events, 'record'>
  readonly runs: Pick<RunManager, 'cancel'>
  readonly clock: Pick<Clock, 'now'>
  /** The data that plugins keep about chats. */
  readonly parts: Pick<ChatParts, 'erase'>
}

/** A chat to erase. */
export interface EraseRequest {
  readonly chatId: string
  readonly userId: string
  readonly signal: AbortSignal
  /**
   * Looks at the chat in the transaction in which its erasure begins, and may write what belongs to
   * that. False: it is left as it is.
   */
  readonly admit?: (transaction: Transaction, chat: Chat) => Promise<boolean>
}

/**
 * Deletes a chat and everything that belongs to it for good, in transactions of bounded size. The
 * chat is marked first, so that nothing is added to it and nobody restores it, and removed last, so
 * that an interrupted erasure can be repeated.
 * @throws `not_found` if the user has no such chat; `chat_part_failed` if a plugin could not erase
 * its part: the rest is deleted later.
 */
export async function eraseChat(
  dependencies: ErasingParts,
  request: EraseRequest,
  chatsAbove: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { database, events, runs, parts } = dependencies
  const { chatId, userId, signal } = request
  const marked = await beginErasure(dependencies, request)
  if (!marked) return
  for (const runId of runsUnderWay(marked)) await cancelIfThere(runs, runId, signal)

  // Chats may belong to each other's runs.
  const under = new Set([...chatsAbove, chatId])
  const stored = database.collection(runCollection)
  for (;;) {
    const page = await stored.query({ index: 'by_chat', equals: [chatId], limit: 50 })
    if (page.items.length === 0) break
    for (const run of page.items) {
      // A driver that did not stop in time is refused from here on, so that it adds nothing after
      // the deletion.
      if (!isFinished(run)) await fence(database, run.id)
      for (const id of await hiddenChatsBelow(database, run.id)) {
        if (!under.has(id)) await eraseChat(dependencies, { chatId: id, userId, signal }, under)
      }
      await deleteByIndex(database, runStepCollection, 'by_run', run.id)
      await stored.delete(run.id)
    }
  }
  await parts.erase({ chatId, userId }, signal)
  await deleteByIndex(database, conversationCollection, 'by_chat', chatId)
  await deleteByIndex(database, approvalCollection, 'by_chat', chatId)
  await deleteByIndex(database, summaryCollection, 'by_chat', chatId)
  await deleteByIndex(database, resultPieceCollection, 'by_chat', chatId)
  await deleteByIndex(database, messageCollection, 'of_chat', chatId)
  await deleteByIndex(database, branchCollection, 'by_chat', chatId)
  await database.transaction(async (transaction) => {
    transaction.delete(chatDeletionCollection, chatId)
    transaction.delete(chatCollection, chatId)
    if (marked.listing !== 'hidden' || marked.temporary)
      events.record(transaction, { userId, name: 'chat.deleted', data: { chat_id: chatId, erased_at: null } })
  })
}

/** Marks the chat; undefined: it was not admitted. */
function beginErasure({ database, clock }: ErasingParts, { chatId, userId, admit }: EraseRequest): Promise<Chat | undefined> {
  return database.transaction(async (transaction) => {
    const chat = ownDocument('chat', await transaction.get(chatCollection, chatId), userId)
    if (admit && !(await admit(transaction, chat))) return undefined
    if (!chat.deleting) {
      await storeTags(transaction, chat, undefined)
      transaction.delete(titleTaskCollection, chatId)
      transaction.put(chatCollection, { ...chat, tags: [], deleting: true })
    }
    transaction.delete(deletedChatCollection, chatId)
    transaction.delete(temporaryChatCollection, chatId)
    if (!(await transaction.get(chatDeletionCollection, chatId)))
      transaction.put(chatDeletionCollection, { id: chatId, user_id: userId, began_at: new Date(clock.now()).toISOString() })
    return chat
  })
}

/** Cancels a run, if it is still there. @throws what its cancel throws. */
export async function cancelIfThere(runs: Pick<RunManager, 'cancel'>, runId: string, signal: AbortSignal): Promise<void> {
  try {
    await runs.cancel(runId, { signal })
  } catch (error) {
    // An earlier, interrupted deletion has removed it already.
    if (!notFoundError.isInstance(error)) throw error
  }
}

async function fence(database: Database, runId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const run = await transaction.get(runCollection, runId)
    if (run) transaction.put(runCollection, { ...run, epoch: run.epoch + 1 })
  })
}
