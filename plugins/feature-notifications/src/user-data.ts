import type { JsonObject } from '@agent-service/sdk'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import { type Database, type DocumentsPlace, documentsOf } from '@agent-service/sdk/services/database'
import { userCollections } from './store/notification.js'

/** Export, erasure and size of one user's notifications and preferences. */
export function createNotificationUserData(database: Database): UserData {
  return {
    specVersion: 1,
    id: 'notifications',
    collections: userCollections.map(({ name }) => name),
    shownBy: ['listNotifications', 'getNotificationPreferences', 'getNotificationDevices'],
    async *export(userId, { signal }) {
      for (const collection of userCollections)
        for await (const document of documentsOf(database, collection, at(userId, signal)))
          yield { path: `${collection.name.replace('.', '/')}/${document.id}.json`, json: shown(document) }
    },
    async erase(userId, { signal }) {
      for (const collection of userCollections)
        for await (const { id } of documentsOf(database, collection, at(userId, signal))) await database.collection(collection).delete(id)
    },
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for (const collection of userCollections)
        for await (const document of documentsOf(database, collection, at(userId, signal))) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(document))
        }
      return { records, bytes }
    },
  }
}

/** Without what would let others write on the screen of a device. */
const shown = (document: object): JsonObject =>
  JSON.parse(JSON.stringify(document, (name, value: unknown) => (secretMembers.has(name) ? undefined : value))) as JsonObject

const secretMembers: ReadonlySet<string> = new Set(['target', 'fingerprint'])

const at = (userId: string, signal: AbortSignal): DocumentsPlace => ({ index: 'by_user', equals: [userId], signal })
