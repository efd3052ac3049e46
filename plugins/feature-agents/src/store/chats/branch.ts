import { namedObject, Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { Chat, Segment } from './chat.js'

/**
 * One path through a chat. The first branch has the chat's id, and no document before the chat is
 * forked. A fork shares the messages before its own first one with the branch that it came from. It
 * never changes or removes a stored message.
 */
export type Branch = {
  readonly id: string
  readonly chat_id: string
  readonly user_id: string
  /** 1 for the first branch of the chat. */
  readonly number: number
  /**
   * The branch in which the message before the fork was written, and the sequence of the fork's
   * first own message. Null: the first branch.
   */
  readonly fork: { readonly branch_id: string; readonly sequence: number } | null
  /** The path from the first message of the chat to the end of this branch. */
  readonly path: readonly Segment[]
  /**
   * How many messages it has. While it is the branch that the chat shows, the chat's `message_count`
   * applies.
   */
  readonly length: number
  readonly created_at: string
}

export const branchCollection = defineCollection<Branch>()({
  name: 'agents.branches',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_chat: { fields: ['chat_id', 'number'], unique: true },
    by_user: { fields: ['user_id', 'id'] },
  },
})

/** A branch in a response. */
export const branchSchema = namedObject('Branch', {
  id: Type.String(),
  chat_id: Type.String(),
  number: Type.Integer(),
  fork: Type.Union([namedObject('BranchFork', { branch_id: Type.String(), sequence: Type.Integer() }), Type.Null()]),
  message_count: Type.Integer(),
  current: Type.Boolean({ description: 'Whether it is the branch that is shown and continued.' }),
  first_line: Type.Union([Type.String(), Type.Null()], {
    examples: ['Write it as a letter instead.'],
    description: 'From its first own message; null if it has none or the message has no text.',
  }),
  created_at: Type.String(),
})

/** The path to a fork whose first own message has this sequence. */
export function forkedPath(path: readonly Segment[], sequence: number, branchId: string): readonly Segment[] {
  return [...path.filter((segment) => segment.from < sequence), { branch_id: branchId, from: sequence }]
}

/** The branch in which the message with this sequence was written, on this path. */
export function ownerAt(path: readonly Segment[], sequence: number): string | undefined {
  return path.findLast((segment) => segment.from <= sequence)?.branch_id
}

/** The chat as it would be if it showed this branch. */
export const onBranch = (chat: Chat, { id, path, length }: Pick<Branch, 'id' | 'path' | 'length'>): Chat => ({
  ...chat,
  branch_id: id,
  path,
  message_count: length,
})

/** The first branch of a chat, which has no document before the chat is forked. */
export const firstBranch = (chat: Chat): Branch => ({
  id: chat.id,
  chat_id: chat.id,
  user_id: chat.user_id,
  number: 1,
  fork: null,
  path: chat.path,
  length: chat.message_count,
  created_at: chat.created_at,
})
