import { defineCollection } from '@agent-service/sdk/services/database'

/** When a temporary chat is looked at, to erase it or to wait longer. It is removed when the chat is kept or erased. */
export type TemporaryChat = {
  /** The id of the chat. */
  readonly id: string
  readonly user_id: string
  /** Never later than the chat is due; activity since is found when it is looked at. */
  readonly due_at: string
}

export const temporaryChatCollection = defineCollection<TemporaryChat>()({
  name: 'agents.temporary_chats',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] }, by_time: { fields: ['due_at', 'id'] } },
})
