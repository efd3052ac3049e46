import { defineUserData, type UserData } from '@agent-service/sdk/contracts/user-data'
import { type CollectionDefinition, type Database, type DocumentsPlace, documentsOf } from '@agent-service/sdk/services/database'
import { shareCollection, snapshotCollection, totalsCollection } from './store/share.js'

/** In the order in which they are erased: without its row no link works. */
export const collections: readonly CollectionDefinition[] = [shareCollection, snapshotCollection, totalsCollection]

/** Export, erasure and size of one user's links. */
export function createShareUserData({ database }: { readonly database: Database }): UserData {
  return defineUserData({
    id: 'shares',
    collections: collections.map(({ name }) => name),
    // A shared chat is kept as it was: the messages are here, too.
    shownBy: ['listShares', 'listMessages', 'getChat', 'exportChat'],
    async *export(userId, { signal }) {
      for await (const { secret_hash: _, ...share } of documentsOf(database, shareCollection, at(userId, signal)))
        yield { path: `shares/links/${share.id}.json`, json: { ...share } }
      for await (const { messages, ...snapshot } of documentsOf(database, snapshotCollection, at(userId, signal)))
        yield { path: `shares/snapshots/${snapshot.id}.json`, json: { ...snapshot, messages: messages.map((message) => ({ ...message })) } }
    },
    async erase(userId, { signal }) {
      for (const collection of collections)
        for (;;) {
          signal.throwIfAborted()
          const page = await database.collection(collection).query({ index: 'by_user', equals: [userId], limit: 50 })
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
  })
}

const at = (userId: string, signal: AbortSignal): DocumentsPlace => ({ index: 'by_user', equals: [userId], signal, pageSize: 50 })
