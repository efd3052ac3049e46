import { Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { Chat, Segment } from './chat.js'

/**
 * One way through a chat. The first has the chat's id and no document before the chat is forked. A fork shares the messages before its own first one
 * with the branch that it came from, and nothing that was written is ever changed or taken away by it.
 */
export type Branch = {
  readonly id: string
  readonly chat_id: string
  readonly user_id: string
  /** 1 for the first branch of the chat. */
  readonly number: number
  /** The message before its own first one: the branch that this was written in, and the sequence of the fork's first own message. Null: the first branch. */
  readonly fork: { readonly branch_id: string; readonly sequence: number } | null
  /** The way from the first message of the chat to the end of this branch. */
  readonly path: readonly Segment[]
  /** How many messages it had when it was last left. While it is the chat's branch, the chat's `message_count` counts. */
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

/** A branch in an answer. */
export const branchSchema = Type.Object({
  id: Type.String(),
  chat_id: Type.String(),
  number: Type.Integer(),
  fork: Type.Union([Type.Object({ branch_id: Type.String(), sequence: Type.Integer() }), Type.Null()]),
  message_count: Type.Integer(),
  current: Type.Boolean({ description: 'Whether it is the one that is shown and goes on.' }),
  first_line: Type.Union([Type.String(), Type.Null()], {
    description: 'Of the first message that is its own; null where there is none or it has no text.',
  }),
  created_at: Type.String(),
})

/** The way to a fork whose first own message has this sequence. */
export function forkedPath(path: readonly Segment[], sequence: number, branchId: string): readonly Segment[] {
  return [...path.filter((segment) => segment.from < sequence), { branch_id: branchId, from: sequence }]
}

/** The branch in which the message of this sequence was written, on this way. */
export function ownerAt(path: readonly Segment[], sequence: number): string | undefined {
  return path.findLast((segment) => segment.from <= sequence)?.branch_id
}

/** The branch that a chat begins with, which has no document before the chat is forked. */
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
