import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { Database } from '@agent-service/sdk/services/database'
import { keptCollection, setAsideCollection } from './subscription-records.js'

const collections = [keptCollection, setAsideCollection] as const

/** Events of a user that plugins have not handled: reports of what the user's other data says, so an export leaves them out. */
export function createSubscriptionUserData({ database }: { readonly database: Database }): UserData {
  async function* ofUser(userId: string, signal: AbortSignal): AsyncIterable<{ readonly id: string; remove(): Promise<unknown> }> {
    for (const definition of collections) {
      const collection = database.collection<{ readonly id: string }>(definition)
      let cursor: string | undefined
      do {
        signal.throwIfAborted()
        const page = await collection.query({ index: 'by_user', equals: [userId], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
        for (const record of page.items) yield { ...record, remove: () => collection.delete(record.id) }
        cursor = page.nextCursor
      } while (cursor !== undefined)
    }
  }

  return {
    specVersion: 1,
    id: 'kernel-event-subscriptions',
    collections: collections.map(({ name }) => name),
    async *export() {
      yield* []
    },
    async erase(userId, { signal }) {
      for await (const record of ofUser(userId, signal)) await record.remove()
    },
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for await (const record of ofUser(userId, signal)) {
        records += 1
        bytes += Buffer.byteLength(JSON.stringify(record))
      }
      return { records, bytes }
    },
  }
}
