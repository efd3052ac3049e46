import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { Database } from '@agent-service/sdk/services/database'
import { type EventRecord, eventFloors, storedEvents } from './event-records.js'

/** Events that wait for a user: short-lived reports of what the user's other data says, so an export leaves them out. */
export function createEventUserData({ database }: { readonly database: Database }): UserData {
  const events = database.collection(storedEvents)

  async function* ofUser(userId: string, signal: AbortSignal): AsyncIterable<EventRecord> {
    let cursor: string | undefined
    do {
      signal.throwIfAborted()
      const page = await events.query({ index: 'by_user', equals: [userId], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
      yield* page.items
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }

  return {
    specVersion: 1,
    id: 'kernel-events',
    collections: [storedEvents.name, eventFloors.name],
    async *export() {
      yield* []
    },
    async erase(userId, { signal }) {
      for await (const event of ofUser(userId, signal)) await events.delete(event.id)
      await database.collection(eventFloors).delete(userId)
    },
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for await (const event of ofUser(userId, signal)) {
        records += 1
        bytes += Buffer.byteLength(JSON.stringify(event))
      }
      return { records, bytes }
    },
  }
}
