import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { deleteByIndex } from '../common/delete-by-index.js'
import { ownDocument } from '../common/own-document.js'
import type { ChatParts } from '../points/parts/chat-parts.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import { branchCollection } from '../store/chats/branch.js'
import { chatCollection } from '../store/chats/chat.js'
import { chatDeletionCollection } from '../store/chats/chat-deletion.js'
import { conversationCollection } from '../store/chats/conversation.js'
import { messageCollection } from '../store/chats/message.js'
import { summaryCollection } from '../store/chats/summary.js'
import { titleTaskCollection } from '../store/chats/title-task.js'
import { approvalCollection } from '../store/runs/approval.js'
import { resultPieceCollection } from '../store/runs/result-piece.js'
import { isFinished, runCollection } from '../store/runs/run.js'
import { runStepCollection } from '../store/runs/run-step.js'
import { storeTags } from '../store/tags/store-tags.js'

/** The dependencies of a deletion. */
export interface DeletingParts {
  readonly database: Database
  readonly events: Pick<Events, 'record'>
  readonly runs: Pick<RunManager, 'cancel'>
  readonly clock: Pick<Clock, 'now'>
  /** The data that plugins keep about chats. */
  readonly parts: Pick<ChatParts, 'erase'>
}

/**
 * Deletes a chat and everything that belongs to it, in transactions of bounded size. The chat is
 * marked first, so that nothing is added to it, and removed last, so that an interrupted deletion
 * can be repeated.
 * @throws `not_found` if the user has no such chat; `chat_part_failed` if a plugin could not erase
 * its part: the rest is deleted later.
 */
export async function deleteChat(
  dependencies: DeletingParts,
  request: { readonly chatId: string; readonly userId: string; readonly signal: AbortSignal },
  begun: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { database, events, runs, clock, parts } = dependencies
  const { chatId, userId, signal } = request
  const marked = await database.transaction(async (transaction) => {
    const chat = ownDocument('chat', await transaction.get(chatCollection, chatId), userId)
    if (!chat.deleting) {
      await storeTags(transaction, chat, undefined)
      transaction.delete(titleTaskCollection, chatId)
      transaction.put(chatCollection, { ...chat, tags: [], deleting: true })
      transaction.put(chatDeletionCollection, { id: chatId, user_id: userId, began_at: new Date(clock.now()).toISOString() })
    }
    return chat
  })
  for (const runId of [marked.active_run_id, marked.beside_run_id ?? null]) if (runId !== null) await cancelIfThere(runs, runId, signal)

  // Chats may belong to each other's runs.
  const under = new Set([...begun, chatId])
  const stored = database.collection(runCollection)
  for (;;) {
    const page = await stored.query({ index: 'by_chat', equals: [chatId], limit: 50 })
    if (page.items.length === 0) break
    for (const run of page.items) {
      // A driver that did not stop in time is refused from here on, so that it adds nothing after
      // the deletion.
      if (!isFinished(run)) await fence(database, run.id)
      for (const id of await hiddenChatsBelow(database, run.id)) {
        if (!under.has(id)) await deleteChat(dependencies, { chatId: id, userId, signal }, under)
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
    if (marked.listing !== 'hidden') events.record(transaction, { userId, name: 'chat.deleted', data: { chat_id: chatId } })
  })
}

async function cancelIfThere(runs: Pick<RunManager, 'cancel'>, runId: string, signal: AbortSignal): Promise<void> {
  try {
    await runs.cancel(runId, { signal })
  } catch (error) {
    // An earlier, interrupted deletion has removed it already.
    if (!notFoundError.isInstance(error)) throw error
  }
}

/** The hidden chats of the runs below a run: only that run leads to them. */
async function hiddenChatsBelow(database: Database, runId: string): Promise<readonly string[]> {
  const found = new Set<string>()
  for await (const { chat_id } of documentsOf(database, runCollection, { index: 'by_parent', equals: [runId], pageSize: 200 })) {
    if ((await database.collection(chatCollection).get(chat_id))?.listing === 'hidden') found.add(chat_id)
  }
  return [...found]
}

async function fence(database: Database, runId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const run = await transaction.get(runCollection, runId)
    if (run) transaction.put(runCollection, { ...run, epoch: run.epoch + 1 })
  })
}
