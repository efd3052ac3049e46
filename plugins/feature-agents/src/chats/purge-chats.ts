import type { Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Transaction } from '@agent-service/sdk/services/database'
import { type Chat, expiryOf, runsUnderWay } from '../store/chats/chat.js'
import { deletedChatCollection } from '../store/chats/deleted-chat.js'
import { temporaryChatCollection } from '../store/chats/temporary-chat.js'
import { type ErasingParts, eraseChat } from './erase-chat.js'

/** The most chats of each kind that one run of the job looks at. */
const maxChats = 500
const pageSize = 50
/** When a temporary chat with an open run is looked at again, in milliseconds. */
const retryMs = 3_600_000
const dayMs = 86_400_000

type PurgeParts = ErasingParts & { readonly log: Logger; readonly keepDays: number }

/**
 * Deletes for good what was deleted long enough ago, and temporary chats that were left alone. An
 * erasure that is interrupted, or for which a plugin fails, is left to the job that finishes
 * deletions, so that no chat keeps others from being deleted.
 */
export function createPurgeChatsJob(dependencies: PurgeParts): SchedulerJob {
  return {
    specVersion: 1,
    id: 'agents.purge-chats',
    title: 'Delete old deleted chats and temporary chats',
    everySeconds: 900,
    timeoutSeconds: 600,
    async run({ signal }) {
      await purgeDeleted(dependencies, signal)
      await purgeTemporary(dependencies, signal)
    },
  }
}

async function purgeDeleted(dependencies: PurgeParts, signal: AbortSignal): Promise<void> {
  const { database, clock, keepDays } = dependencies
  const deleted = database.collection(deletedChatCollection)
  const until = new Date(clock.now() - keepDays * dayMs).toISOString()
  for (let seen = 0; seen < maxChats; seen += pageSize) {
    const { items } = await deleted.query({ index: 'by_time', to: until, limit: pageSize })
    for (const { id, user_id } of items) {
      signal.throwIfAborted()
      const isThere = async (transaction: Transaction) => (await transaction.get(deletedChatCollection, id)) !== undefined
      if (!(await purge(dependencies, { chatId: id, userId: user_id, signal, admit: isThere }))) await deleted.delete(id)
    }
    if (items.length < pageSize) return
  }
}

async function purgeTemporary(dependencies: PurgeParts, signal: AbortSignal): Promise<void> {
  const { database, clock } = dependencies
  const temporary = database.collection(temporaryChatCollection)
  const now = clock.now()
  for (let seen = 0; seen < maxChats; seen += pageSize) {
    const { items } = await temporary.query({ index: 'by_time', to: new Date(now).toISOString(), limit: pageSize })
    for (const { id, user_id } of items) {
      signal.throwIfAborted()
      const admit = (transaction: Transaction, chat: Chat) => isLeftAlone(transaction, chat, now)
      if (!(await purge(dependencies, { chatId: id, userId: user_id, signal, admit }))) await temporary.delete(id)
    }
    if (items.length < pageSize) return
  }
}

/** Whether nothing has happened in a chat for long enough. A run holds it, also one that waits for its person. */
async function isLeftAlone(transaction: Transaction, chat: Chat, now: number): Promise<boolean> {
  if (!chat.temporary) {
    transaction.delete(temporaryChatCollection, chat.id)
    return false
  }
  const due = Date.parse(expiryOf(chat.updated_at, chat.temporary))
  if (due <= now && runsUnderWay(chat).length === 0) return true
  const next = new Date(due > now ? due : now + retryMs).toISOString()
  transaction.put(temporaryChatCollection, { id: chat.id, user_id: chat.user_id, due_at: next })
  return false
}

/** False: there is no such chat. */
async function purge(dependencies: PurgeParts, request: Parameters<typeof eraseChat>[1]): Promise<boolean> {
  try {
    await eraseChat(dependencies, request)
  } catch (error) {
    request.signal.throwIfAborted()
    if (notFoundError.isInstance(error)) return false
    dependencies.log.warn('A chat could not be deleted yet.', { chat_id: request.chatId, error })
  }
  return true
}
