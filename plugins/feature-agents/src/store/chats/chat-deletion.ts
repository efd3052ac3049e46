import { defineCollection } from '@agent-service/sdk/services/database'

/**
 * A deletion of a chat in progress. It is removed with the chat; a remaining record means an
 * interrupted deletion, which is resumed.
 */
export type ChatDeletion = {
  /** The id of the chat. */
  readonly id: string
  readonly user_id: string
  readonly began_at: string
}

export const chatDeletionCollection = defineCollection<ChatDeletion>()({
  name: 'agents.chat_deletions',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] }, by_time: { fields: ['began_at', 'id'] } },
})
