import { defineContributionPoint } from '../../core/contribution-point.js'
import type { ChatPart } from './chat-part.js'

/** Data of chats that belongs to plugins: deleted, exported and imported with the chat. */
export const chatParts = defineContributionPoint<ChatPart>()({
  id: 'chat.part',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (part) => part.id,
})
