import type { Database } from '@agent-service/sdk/services/database'
import { type Branch, branchCollection, firstBranch } from './branch.js'
import type { Chat } from './chat.js'

/**
 * All branches of a chat as read, by number. A chat has at most 200, so this is usually one query.
 */
export async function branchesOf(database: Database, chat: Chat): Promise<readonly Branch[]> {
  if (chat.branch_count === 1) return [firstBranch(chat)]
  const branches: Branch[] = []
  let cursor: string | undefined
  do {
    const page = await database
      .collection(branchCollection)
      .query({ index: 'by_chat', equals: [chat.id], to: chat.branch_count + 1, limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    for (const branch of page.items) branches.push(withCurrentLength(chat, branch))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return branches
}

/** A stored branch with its current length. */
export const withCurrentLength = (chat: Chat, branch: Branch): Branch =>
  branch.id === chat.branch_id ? { ...branch, length: chat.message_count } : branch
