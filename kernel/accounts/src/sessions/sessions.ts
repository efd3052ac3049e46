import { deleteOlder } from '@agent-service/kernel-core/database/collections'
import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Page, Transaction } from '@agent-service/sdk/services/database'
import { v7 as uuid } from 'uuid'
import type { AuditLog } from '../audit/index.js'
import { type SessionRecord, sessions, type UserRecord } from '../records/records.js'
import type { Revocations } from '../records/revocations.js'
import { timestamp } from '../records/timestamps.js'

/** The client of a sign-in, as the request describes it. */
export interface SessionClient {
  readonly address: string
  /** The header, cut to a length that can be stored. */
  readonly userAgent: string
}

/** How long the credentials of a session are valid. */
export interface SessionLifetimes {
  readonly accessSeconds: number
  /** Slides with each rotation, up to {@link maxFamilyMs} after the sign-in. */
  readonly refreshSeconds: number
}

/** The longest lifetime of a session, in milliseconds. */
export const maxFamilyMs = 90 * 24 * 60 * 60 * 1000

const keptAfterExpiryMs = 24 * 60 * 60 * 1000

/**
 * Sessions. Ending one takes effect at once: the next request is refused, and streams that it
 * opened end. A session also has the epoch of its user when it began: raising the user's epoch ends
 * every session that is not raised with it, in one write.
 */
export interface Sessions {
  /** Begins a session in the transaction. */
  begin(transaction: Transaction, user: UserRecord, client: SessionClient): SessionRecord
  /** The session, unless it was ended. {@link isOfEpoch} says whether its epoch is still valid. */
  live(sessionId: string): Promise<SessionRecord | undefined>
  /**
   * Ends a session for its user, who calls from `address`. Does nothing if it has ended or never
   * existed.
   */
  end(sessionId: string, address: string): Promise<void>
  /** Ends a session in the transaction if it is active; returns the session that it ended. */
  endWithin(transaction: Transaction, sessionId: string): Promise<SessionRecord | undefined>
  /** One page of a user's active sessions, the latest first. */
  listOf(user: UserRecord, options: { readonly limit?: number; readonly cursor?: string }): Promise<Page<SessionRecord>>
  /** Deletes the records of sessions whose credentials expired at least a day ago. */
  prune(options: { readonly signal: AbortSignal }): Promise<void>
}

/** Whether the session has the current epoch of its user. */
export const isOfEpoch = (session: SessionRecord, user: UserRecord): boolean => session.epoch === user.session_epoch

/**
 * Whether a session is usable at a moment: not ended, of the user's epoch, and with a credential
 * that has not expired.
 */
export const isUsable = (session: SessionRecord, user: UserRecord, now: number): boolean =>
  session.ended_at === null && isOfEpoch(session, user) && now < Date.parse(session.expires_at)

/** When a session's refresh token expires if it is issued at `now`. In milliseconds since 1970. */
export const refreshExpiry = (session: Pick<SessionRecord, 'created_at'>, now: number, { refreshSeconds }: SessionLifetimes): number =>
  Math.min(now + refreshSeconds * 1000, Date.parse(session.created_at) + maxFamilyMs)

export function createSessions(dependencies: {
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  readonly revocations: Revocations
  readonly audit: AuditLog
  readonly lifetimes: SessionLifetimes
}): Sessions {
  const { database, kernelDatabase, clock, revocations, audit, lifetimes } = dependencies

  const endWithin = async (transaction: Transaction, sessionId: string): Promise<SessionRecord | undefined> => {
    const session = await transaction.get(sessions, sessionId)
    if (!session || session.ended_at !== null) return undefined
    transaction.put(sessions, { ...session, ended_at: timestamp(clock.now()) })
    kernelDatabase.kernelView(transaction).afterCommit(() => revocations.credentialRevoked(sessionId))
    return session
  }

  return {
    begin(transaction, user, { address, userAgent }) {
      const now = clock.now()
      const createdAt = timestamp(now)
      const refreshExpiresAt = refreshExpiry({ created_at: createdAt }, now, lifetimes)
      const session: SessionRecord = {
        id: uuid(),
        user_id: user.id,
        epoch: user.session_epoch,
        generation: 0,
        address,
        user_agent: userAgent,
        created_at: createdAt,
        rotated_at: createdAt,
        refresh_expires_at: timestamp(refreshExpiresAt),
        expires_at: timestamp(Math.max(refreshExpiresAt, now + lifetimes.accessSeconds * 1000)),
        ended_at: null,
        confirmed_at: null,
      }
      transaction.insert(sessions, session)
      return session
    },
    async live(sessionId) {
      const session = await database.collection(sessions).get(sessionId)
      return session && session.ended_at === null ? session : undefined
    },
    end: (sessionId, address) =>
      database.transaction(async (transaction) => {
        const ended = await endWithin(transaction, sessionId)
        if (!ended) return
        const { user_id: userId } = ended
        audit.record(transaction, {
          kind: 'session.ended',
          actor: { userId, address },
          subjectId: userId,
          details: { session_id: sessionId },
        })
      }),
    endWithin,
    async listOf(user, options) {
      const page = await database.collection(sessions).query({ index: 'by_user', equals: [user.id], order: 'descending', ...options })
      const now = clock.now()
      return { ...page, items: page.items.filter((session) => isUsable(session, user, now)) }
    },
    prune: ({ signal }) =>
      deleteOlder({ database, collection: sessions, index: 'by_expiry', to: timestamp(clock.now() - keptAfterExpiryMs), signal }),
  }
}
