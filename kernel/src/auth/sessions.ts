import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { v7 as uuid } from 'uuid'
import type { KernelDatabase } from '../database/kernel-database.js'
import type { CredentialEnds } from './credential-ends.js'
import { type SessionRecord, sessions } from './records.js'
import { timestamp } from './timestamps.js'

/** Sign-ins. Ending one takes effect at once: the next request is refused, and streams that it opened end. */
export interface Sessions {
  /** Begins a session with the transaction. */
  begin(transaction: Transaction, userId: string): SessionRecord
  /** The session, when it lives. */
  live(sessionId: string): Promise<SessionRecord | undefined>
  /** Ends a session. Nothing happens when it has ended before or never was. */
  end(sessionId: string): Promise<void>
  /** Deletes the records of sessions whose credentials ended by themselves a day ago or earlier. */
  prune(options: { readonly signal: AbortSignal }): Promise<void>
}

const keptAfterExpiryMs = 24 * 60 * 60 * 1000

/** Makes the store of sessions. `lifetimeSeconds` is how long the last credential of a session counts. */
export function createSessions(dependencies: {
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  readonly ends: CredentialEnds
  readonly lifetimeSeconds: number
}): Sessions {
  const { database, kernelDatabase, clock, ends, lifetimeSeconds } = dependencies
  return {
    begin(transaction, userId) {
      const now = clock.now()
      const session = {
        id: uuid(),
        user_id: userId,
        created_at: timestamp(now),
        expires_at: timestamp(now + lifetimeSeconds * 1000),
        ended_at: null,
      }
      transaction.insert(sessions, session)
      return session
    },
    async live(sessionId) {
      const session = await database.collection(sessions).get(sessionId)
      return session && session.ended_at === null ? session : undefined
    },
    end: (sessionId) =>
      database.transaction(async (transaction) => {
        const session = await transaction.get(sessions, sessionId)
        if (!session || session.ended_at !== null) return
        transaction.put(sessions, { ...session, ended_at: timestamp(clock.now()) })
        kernelDatabase.kernelView(transaction).afterCommit(() => ends.sessionEnded(sessionId))
      }),
    async prune({ signal }) {
      const to = timestamp(clock.now() - keptAfterExpiryMs)
      let left = true
      while (left && !signal.aborted) {
        const page = await database.collection(sessions).query({ index: 'by_expiry', to, limit: 200 })
        await database.transaction(async (transaction) => {
          for (const session of page.items) transaction.delete(sessions, session.id)
        })
        left = page.nextCursor !== undefined
      }
    },
  }
}
