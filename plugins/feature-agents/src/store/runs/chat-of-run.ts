import type { Database } from '@agent-service/sdk/services/database'
import { branchCollection, onBranch } from '../chats/branch.js'
import { type Chat, chatCollection } from '../chats/chat.js'
import type { Run } from './run.js'

/**
 * The chat of a run as the run continues it: on the branch of the run, which the chat does not show if it
 * is the other answer of a comparison. Undefined: the chat was deleted.
 */
export async function chatOfRun(database: Database, { chat_id, branch_id }: Pick<Run, 'chat_id' | 'branch_id'>): Promise<Chat | undefined> {
  const chat = await database.collection(chatCollection).get(chat_id)
  if (!chat || chat.branch_id === branch_id) return chat
  const branch = await database.collection(branchCollection).get(branch_id)
  if (!branch) throw new Error(`The branch ${branch_id} of the chat ${chat_id} does not exist.`)
  return onBranch(chat, branch)
}
