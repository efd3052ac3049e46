import { defineCollection } from '@agent-service/sdk/services/database'

/**
 * How long a client's conversation is found again, in milliseconds: 30 days after its last turn.
 * Its chat stays.
 */
export const conversationLifeMs = 30 * 24 * 3_600_000

/**
 * The position of a client's conversation in a chat: one record for each turn, under the key of
 * everything up to there, and one under the name that the caller gave the turn.
 */
export type Conversation = {
  /** A SHA-256 in hexadecimal digits, see `conversation-key.ts`. */
  readonly id: string
  readonly user_id: string
  readonly chat_id: string
  /** The branch of the last message, and the sequence after it. */
  readonly branch_id: string
  readonly sequence: number
  /** The key of everything up to there. */
  readonly key: string
  /** A hash of the latest instructions of the caller's program. */
  readonly instructions: string
  readonly expires_at: string
}

export const conversationCollection = defineCollection<Conversation>()({
  name: 'agents.conversations',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_chat: { fields: ['chat_id', 'id'] },
    by_expiry: { fields: ['expires_at', 'id'] },
  },
})
