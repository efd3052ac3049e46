import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { connectionCollection, leaseCollection, stateCollection } from './connection.js'
import { conversationCollection } from './conversation.js'
import { deliveryCollection } from './delivery.js'
import { inboxCollection } from './inbox.js'
import { senderCollection } from './sender.js'
import { totalsCollection } from './totals.js'

/** In the order in which they are erased: without its connection nothing is received or sent. */
export const collections: readonly CollectionDefinition[] = [
  ...[connectionCollection, stateCollection, leaseCollection, senderCollection, conversationCollection],
  ...[inboxCollection, deliveryCollection, totalsCollection],
]
