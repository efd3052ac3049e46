import type { Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import { type ChatDeletion, chatDeletionCollection } from '../store/chats/chat-deletion.js'
import { deletedChatCollection } from '../store/chats/deleted-chat.js'
import { type DeletingParts, stopDeleted } from './delete-chat.js'
import { eraseChat } from './erase-chat.js'

type FinishingParts = Omit<DeletingParts, 'keepDays'> & { readonly log: Logger }

/** A deletion that began this long ago, in milliseconds, counts as interrupted. */
const interruptedAfterMs = 120_000

/**
 * Finishes interrupted deletions of chats: the process ended, or a plugin could not erase its part.
 */
export function createFinishDeletionsJob(dependencies: FinishingParts): SchedulerJob {
  const { database, clock, log } = dependencies
  const deletions = database.collection(chatDeletionCollection)

  const finish = async ({ id, user_id }: ChatDeletion, signal: AbortSignal): Promise<void> => {
    try {
      await eraseChat(dependencies, { chatId: id, userId: user_id, signal })
    } catch (error) {
      signal.throwIfAborted()
      if (notFoundError.isInstance(error)) await deletions.delete(id)
      else log.warn('A chat could not be deleted yet.', { chat_id: id, error })
    }
  }

  return {
    specVersion: 1,
    id: 'agents.finish-deletions',
    title: 'Finish the deletion of chats',
    everySeconds: 300,
    timeoutSeconds: 240,
    async run({ signal }) {
      let cursor: string | undefined
      do {
        signal.throwIfAborted()
        const page = await deletions.query({ index: 'by_time', limit: 100, ...(cursor === undefined ? {} : { cursor }) })
        const due = page.items.filter(({ began_at }) => Date.parse(began_at) <= clock.now() - interruptedAfterMs)
        for (const deletion of due) await finish(deletion, signal)
        // The deletions that follow began even later.
        cursor = due.length < page.items.length ? undefined : page.nextCursor
      } while (cursor !== undefined)
      await stopInterrupted(dependencies, signal)
    },
  }
}

/** Stops what still works for chats that can be restored. */
async function stopInterrupted(dependencies: FinishingParts, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = dependencies
  const to = new Date(clock.now() - interruptedAfterMs).toISOString()
  // Without those of which all has stopped. The next run of the job looks at further ones.
  const { items } = await database.collection(deletedChatCollection).query({ index: 'by_stopping', from: '', to, limit: 100 })
  for (const { id, user_id } of items) {
    signal.throwIfAborted()
    try {
      await stopDeleted(dependencies, { chatId: id, userId: user_id, signal })
    } catch (error) {
      signal.throwIfAborted()
      log.warn('What works for a deleted chat could not be stopped yet.', { chat_id: id, error })
    }
  }
}
