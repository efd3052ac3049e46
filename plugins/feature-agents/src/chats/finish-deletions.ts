import type { Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import { type ChatDeletion, chatDeletionCollection } from '../store/chats/chat-deletion.js'
import { type ErasingParts, eraseChat } from './erase-chat.js'

/** A deletion that began this long ago, in milliseconds, counts as interrupted. */
const interruptedAfterMs = 120_000

/**
 * Finishes interrupted deletions of chats: the process ended, or a plugin could not erase its part.
 */
export function createFinishDeletionsJob(dependencies: ErasingParts & { readonly log: Logger }): SchedulerJob {
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
    },
  }
}
