import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { CollectionDefinition, Database } from '@agent-service/sdk/services/database'
import { allOf } from './page-by-page.js'

/**
 * User data in collections with an index `by_user` that an export omits: short-lived reports about
 * the user's other data.
 */
export function createUnexportedData(database: Database, id: string, definitions: readonly CollectionDefinition[]): UserData {
  const collections = definitions.map((definition) => database.collection<{ readonly id: string }>(definition))
  const ofUser = (userId: string) => ({ index: 'by_user', equals: [userId] })
  return {
    specVersion: 1,
    id,
    collections: definitions.map(({ name }) => name),
    async *export() {
      yield* []
    },
    async erase(userId, { signal }) {
      for (const collection of collections)
        for await (const record of allOf(collection, ofUser(userId), signal)) await collection.delete(record.id)
    },
    // Reports about the other data let nobody in; what they report is handed over by its own part.
    handOver: async () => [],
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for (const collection of collections) {
        for await (const record of allOf(collection, ofUser(userId), signal)) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(record))
        }
      }
      return { records, bytes }
    },
  }
}
