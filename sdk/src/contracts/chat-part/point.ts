import { defineContributionPoint } from '../../core/contribution-point.js'
import type { ChatPart } from './chat-part.js'

/** What of a chat belongs to plugins: deleted, exported and imported with it. */
export const chatParts = defineContributionPoint<ChatPart>()({
  id: 'chat.part',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (part) => part.id,
})
