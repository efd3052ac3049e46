import type { JsonObject } from '@agent-service/sdk'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import { type CollectionDefinition, documentsOf, type StoredObject } from '@agent-service/sdk/services/database'
import { deleteContents } from './connections/delete-contents.js'
import type { ChannelParts } from './parts/channel-parts.js'
import { collections } from './store/collections.js'
import { connectionCollection, leaseCollection } from './store/connection.js'
import { totalsCollection } from './store/totals.js'

/** Members that are no one's to read: sealed texts, and what finds them. */
const hidden: ReadonlySet<string> = new Set(['secrets', 'webhook_key', 'webhook_hash', 'code', 'state'])
const exported = collections.filter(({ name }) => name !== leaseCollection.name && name !== totalsCollection.name)

/** The operations that show what is exported; what came and went is in chats, too. */
const shownBy: readonly string[] = [
  'listChannelConnections',
  'getChannelConnection',
  'listChannelSenders',
  'listChannelPairings',
  'listOwnChannelPairings',
  'listChannelConversations',
  'listChannelDeliveries',
  'getChat',
  'exportChat',
  'listMessages',
]

/** Export, erasure and size of one user's connections, and of what came and went through them. */
export function createChannelUserData(parts: ChannelParts, refresh: (connectionId: string) => Promise<void>): UserData {
  const { database } = parts
  const at = (userId: string, signal: AbortSignal) => ({ index: 'by_user', equals: [userId], signal })
  return {
    specVersion: 1,
    id: 'channels',
    collections: collections.map(({ name }) => name),
    shownBy,
    async *export(userId, { signal }) {
      for (const collection of exported)
        for await (const document of documentsOf(database, collection, at(userId, signal)))
          yield { path: `${collection.name.replace('channels.', 'channels/')}/${document.id}.json`, json: shown(collection, document) }
    },
    async erase(userId, { signal }) {
      for await (const { id } of documentsOf(database, connectionCollection, at(userId, signal))) {
        await database.collection(connectionCollection).delete(id)
        await refresh(id)
        await deleteContents(parts, id)
      }
      for (const collection of collections)
        for (;;) {
          signal.throwIfAborted()
          const page = await database.collection(collection).query({ index: 'by_user', equals: [userId], limit: 100 })
          if (page.items.length === 0) break
          await database.transaction(async (transaction) => {
            for (const { id } of page.items) transaction.delete(collection, id)
          })
        }
    },
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for (const collection of collections)
        for await (const document of documentsOf(database, collection, at(userId, signal))) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(document))
        }
      return { records, bytes }
    },
  }
}

/** The state of a channel may be a token of the vendor; that of anything else is a word. */
function shown(collection: CollectionDefinition, document: StoredObject): JsonObject {
  const whole = JSON.parse(JSON.stringify(document)) as JsonObject
  return Object.fromEntries(
    Object.entries(whole).filter(([name]) => !hidden.has(name) || (name === 'state' && collection.name !== 'channels.states')),
  )
}
