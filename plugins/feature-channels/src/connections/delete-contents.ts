import type { CollectionDefinition, StoredObject } from '@agent-service/sdk/services/database'
import { forgetFiles } from '../inbox/message-content.js'
import { removeCopy } from '../outbox/kept-copies.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { leaseCollection, stateCollection } from '../store/connection.js'
import { conversationCollection } from '../store/conversation.js'
import { type Delivery, deliveryCollection } from '../store/delivery.js'
import { inboxCollection } from '../store/inbox.js'
import { senderCollection } from '../store/sender.js'

/** Deletes what belongs to a connection that is deleted. May be repeated. */
export async function deleteContents(parts: ChannelParts, connectionId: string): Promise<void> {
  const { database } = parts
  for (;;) {
    const page = await database.collection(inboxCollection).query({ index: 'by_connection', equals: [connectionId], limit: 100 })
    if (page.items.length === 0) break
    for (const message of page.items) await forgetFiles(parts, message)
    await deleteAll(parts, inboxCollection, page.items)
  }
  for (const collection of [deliveryCollection, conversationCollection, senderCollection] as readonly CollectionDefinition[])
    for (;;) {
      const page = await database.collection(collection).query({ index: 'by_connection', equals: [connectionId], limit: 100 })
      if (page.items.length === 0) break
      if (collection.name === deliveryCollection.name)
        for (const delivery of page.items as readonly Delivery[]) await removeCopy(parts, delivery)
      await deleteAll(parts, collection, page.items)
    }
  await database.transaction(async (transaction) => {
    transaction.delete(stateCollection, connectionId)
    transaction.delete(leaseCollection, connectionId)
  })
}

const deleteAll = (
  { database }: Pick<ChannelParts, 'database'>,
  collection: CollectionDefinition,
  items: readonly StoredObject[],
): Promise<void> =>
  database.transaction(async (transaction) => {
    for (const { id } of items) transaction.delete(collection, id)
  })
