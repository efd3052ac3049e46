import { defineUserData, type UserData } from '@agent-service/sdk/contracts/user-data'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import { counters } from './counters.js'

/** What a person counts, for their export and their erasure. */
export function createUserData(database: Database): UserData {
  const ofUser = (userId: string, signal: AbortSignal) => documentsOf(database, counters, { index: 'by_user', equals: [userId], signal })
  return defineUserData({
    id: 'panel-tally',
    collections: [counters.name],
    shownBy: ['panelTallyListCounters'],
    async *export(userId, { signal }) {
      for await (const { id, name, count, created_at } of ofUser(userId, signal))
        yield { path: `tally/${id}.json`, json: { name, count, created_at: new Date(created_at).toISOString() } }
    },
    async erase(userId, { signal }) {
      for await (const { id } of ofUser(userId, signal)) {
        await database.collection(counters).delete(id)
      }
    },
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for await (const counter of ofUser(userId, signal)) {
        records += 1
        bytes += Buffer.byteLength(JSON.stringify(counter))
      }
      return { records, bytes }
    },
  })
}
