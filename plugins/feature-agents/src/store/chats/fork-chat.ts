import type { Transaction } from '@agent-service/sdk/services/database'
import { v7 as uuidv7 } from 'uuid'
import { tooManyBranchesError } from '../../common/errors.js'
import { type Branch, branchCollection, firstBranch, forkedPath, ownerAt } from './branch.js'
import type { Chat } from './chat.js'

/** The most branches of one chat. */
export const maxBranches = 200

/**
 * Puts a chat on a new branch that shares the messages before this sequence. Does not fork if the
 * old branch would have no message of its own. The caller stores the chat.
 * @throws `too_many_branches`.
 */
export async function forkChat(transaction: Transaction, chat: Chat, sequence: number, now: string): Promise<Chat> {
  if (sequence >= chat.message_count) return chat
  const { id, path } = await addBranch(transaction, chat, sequence, now)
  return { ...chat, branch_id: id, path, message_count: sequence, branch_count: chat.branch_count + 1, updated_at: now }
}

/**
 * Stores a new branch that shares the messages before this sequence with the branch that is shown. The
 * caller stores the chat, with one branch more. @throws `too_many_branches`.
 */
export async function addBranch(transaction: Transaction, chat: Chat, sequence: number, now: string): Promise<Branch> {
  if (chat.branch_count >= maxBranches) throw tooManyBranchesError.create({ limit: maxBranches })
  transaction.put(branchCollection, await leftBranch(transaction, chat))
  const id = uuidv7()
  const path = forkedPath(chat.path, sequence, id)
  const branch: Branch = {
    id,
    chat_id: chat.id,
    user_id: chat.user_id,
    number: chat.branch_count + 1,
    fork: { branch_id: ownerAt(chat.path, sequence - 1) ?? chat.id, sequence },
    path,
    length: sequence,
    created_at: now,
  }
  transaction.insert(branchCollection, branch)
  return branch
}

/** The current branch of a chat with its final length, to store before a switch. */
export async function leftBranch(transaction: Transaction, chat: Chat): Promise<Branch> {
  const stored = await transaction.get(branchCollection, chat.branch_id)
  return { ...(stored ?? firstBranch(chat)), length: chat.message_count }
}
