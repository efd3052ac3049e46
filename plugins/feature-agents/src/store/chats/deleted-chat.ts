import { namedObject, Type } from '@agent-service/sdk'
import { pageSchema } from '@agent-service/sdk/contracts/http-route'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { Chat } from './chat.js'

/**
 * A deleted chat that can be restored. While this record exists, nothing of the chat is erased; it
 * is removed when the chat is restored, or when its erasure begins.
 */
export type DeletedChat = {
  /** The id of the chat. */
  readonly id: string
  readonly user_id: string
  readonly deleted_at: string
  /** Where the chat was listed. */
  readonly listing: Chat['listing']
  /** Since when its runs, and what plugins do for it, are being stopped. Null: all of it has stopped. */
  readonly stopping_since: string | null
}

export const deletedChatCollection = defineCollection<DeletedChat>()({
  name: 'agents.deleted_chats',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'deleted_at', 'id'] },
    by_time: { fields: ['deleted_at', 'id'] },
    by_stopping: { fields: ['stopping_since'] },
  },
})

const dayMs = 86_400_000

/** When a chat that was deleted then is erased. RFC 3339. */
export const erasedAt = (deletedAt: string, days: number): string => new Date(Date.parse(deletedAt) + days * dayMs).toISOString()

/** A deleted chat in a response. */
export const deletedChatSchema = namedObject('DeletedChat', {
  id: Type.String(),
  title: Type.Union([Type.String(), Type.Null()], { examples: ['Plan for Saturday'] }),
  message_count: Type.Integer(),
  archived: Type.Boolean({ description: 'Whether it was archived.' }),
  deleted_at: Type.String(),
  erased_at: Type.String({ description: 'After this time it is deleted for good.' }),
})

/** A page of deleted chats. */
export const deletedChatPageSchema = namedObject('DeletedChats', {
  ...pageSchema(deletedChatSchema).properties,
  keep_days: Type.Integer({ description: 'How long deleted chats can be restored. 0: not at all.' }),
})

/** A deleted chat as a client sees it. */
export const presentDeletedChat = ({ listing, deleted_at }: DeletedChat, { id, title, message_count }: Chat, days: number) => ({
  id,
  title,
  message_count,
  archived: listing === 'archived',
  deleted_at,
  erased_at: erasedAt(deleted_at, days),
})
