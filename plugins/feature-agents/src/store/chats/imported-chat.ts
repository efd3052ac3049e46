import { createHash } from 'node:crypto'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { Product } from '../../common/products.js'

/** That a chat of another product was imported. It outlives the chat, and counts while the chat is there. */
export type ImportedForeignChat = {
  readonly id: string
  readonly user_id: string
  readonly product: Product
  /** The id of the chat there. */
  readonly source_id: string
  /** When it was last changed there, in milliseconds since 1970; null: not known. */
  readonly source_updated_at: number | null
  readonly chat_id: string
  readonly imported_at: string
}

export const importedForeignChatCollection = defineCollection<ImportedForeignChat>()({
  name: 'agents.imported_chats',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/** The same for the same chat of the same user, whatever file it comes from. */
export const importedChatId = (userId: string, product: Product, sourceId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([userId, product, sourceId]))
    .digest('hex')
