import type { Database } from '@agent-service/sdk/services/database'
import { messagesAlong } from '../../store/chats/branch-messages.js'
import { chatOfRun } from '../../store/runs/chat-of-run.js'
import type { Run } from '../../store/runs/run.js'

/** Whether the answer before this message was given without tools too, so that the person of the chat knows it already. */
export async function wasWithoutTools(database: Database, run: Pick<Run, 'chat_id' | 'branch_id'>, messageId: string): Promise<boolean> {
  const chat = await chatOfRun(database, run)
  if (!chat) return false
  for await (const message of messagesAlong(database, chat.path, { order: 'descending' })) {
    if (message.role !== 'assistant' || message.status !== 'complete' || message.id === messageId) continue
    return message.left_out?.some(({ what }) => what === 'tools') === true
  }
  return false
}
