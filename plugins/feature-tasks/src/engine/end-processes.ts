import type { TaskParts } from '../parts/task-parts.js'
import type { Execution } from '../store/execution.js'

/**
 * Ends the processes that the runs of an execution left behind. Those in the foreground have ended
 * with their calls; this is about the ones in the background, which belong to its chats.
 */
export async function endProcesses({ sandbox, log }: TaskParts, { user_id: userId, attempts, id }: Execution): Promise<void> {
  const chats = new Set(attempts.flatMap(({ chat_id }) => (chat_id === null ? [] : [chat_id])))
  const running = (sandbox?.list({ userId }) ?? []).filter(
    ({ endedAt, chatId }) => endedAt === null && chatId !== null && chats.has(chatId),
  )
  const ended = await Promise.allSettled(running.map((view) => sandbox?.find(userId, view.id)?.stop()))
  for (const each of ended)
    if (each.status === 'rejected') log.warn('A process of a task could not be ended.', { execution: id, error: each.reason })
}
