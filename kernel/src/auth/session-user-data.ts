import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { Database } from '@agent-service/sdk/services/database'
import { type SessionRecord, sessions } from './records.js'

/** What the kernel keeps about a user's sign-ins. */
export function createSessionUserData({ database }: { readonly database: Database }): UserData {
  const stored = database.collection(sessions)

  async function* ofUser(userId: string, signal: AbortSignal): AsyncIterable<SessionRecord> {
    let cursor: string | undefined
    do {
      signal.throwIfAborted()
      const page = await stored.query({ index: 'by_user', equals: [userId], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
      yield* page.items
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }

  return {
    specVersion: 1,
    id: 'kernel-sessions',
    collections: [sessions.name],
    async *export(userId, { signal }) {
      for await (const session of ofUser(userId, signal)) yield { path: `sessions/${session.id}.json`, json: { ...session } }
    },
    async erase(userId, { signal }) {
      for await (const session of ofUser(userId, signal)) await stored.delete(session.id)
    },
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for await (const session of ofUser(userId, signal)) {
        records += 1
        bytes += Buffer.byteLength(JSON.stringify(session))
      }
      return { records, bytes }
    },
  }
}
