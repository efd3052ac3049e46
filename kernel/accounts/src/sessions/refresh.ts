import { unauthenticatedError } from '@agent-service/kernel-core/http'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { AuditLog } from '../audit/index.js'
import { refreshReusedError } from '../records/errors.js'
import { type SessionRecord, sessions, type UserRecord, users } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'
import type { RefreshTokens } from './refresh-tokens.js'
import { isUsable, refreshExpiry, type SessionClient, type SessionLifetimes, type Sessions } from './sessions.js'

/**
 * How long the previous token is still accepted, for tabs that refresh at the same time and for
 * lost responses.
 */
export const predecessorGraceMs = 10_000

/** A session with its user and the current refresh token. */
export interface RefreshedSession {
  readonly session: SessionRecord
  readonly user: UserRecord
  readonly refreshToken: string
}

/** The operations on refresh tokens. */
export interface Refresh {
  /**
   * Exchanges a token for the next one of its family. The immediate predecessor of the current one,
   * used within {@link predecessorGraceMs} from the same address and user agent, returns the
   * current one again; any other use of a replaced token ends the session at once.
   * @throws `unauthenticated` for an invalid or expired token, `refresh_reused`.
   */
  rotate(token: string, client: SessionClient): Promise<RefreshedSession>
  /** The session and user of a token while it is a valid credential. Changes nothing. */
  credentialOf(token: string): Promise<{ readonly session: SessionRecord; readonly user: UserRecord } | undefined>
}

type Rotation = { readonly outcome: 'refreshed'; readonly refreshed: RefreshedSession } | { readonly outcome: 'reused' | 'refused' }

export function createRefresh(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly sessions: Sessions
  readonly tokens: RefreshTokens
  readonly lifetimes: SessionLifetimes
  readonly audit: AuditLog
  readonly log: Logger
}): Refresh {
  const { database, clock, tokens, lifetimes, audit, log } = dependencies

  const isInGrace = (session: SessionRecord, generation: number, now: number): boolean =>
    generation === session.generation - 1 && now - Date.parse(session.rotated_at) <= predecessorGraceMs

  const isFresh = (session: SessionRecord, now: number): boolean => now < Date.parse(session.refresh_expires_at)

  return {
    async rotate(token, client) {
      const place = tokens.read(token)
      if (!place) throw unauthenticatedError.create({})
      const rotation = await database.transaction(async (transaction): Promise<Rotation> => {
        const now = clock.now()
        const session = await transaction.get(sessions, place.sessionId)
        const user = session && (await transaction.get(users, session.user_id))
        if (!session || !user || user.disabled || !isUsable(session, user, now) || !isFresh(session, now)) return { outcome: 'refused' }
        const give = (given: SessionRecord): Rotation => ({
          outcome: 'refreshed',
          refreshed: { session: given, user, refreshToken: tokens.tokenOf({ sessionId: given.id, generation: given.generation }) },
        })
        if (place.generation > session.generation) return { outcome: 'refused' }
        if (place.generation === session.generation) {
          const refreshExpiresAt = refreshExpiry(session, now, lifetimes)
          const rotated: SessionRecord = {
            ...session,
            generation: session.generation + 1,
            address: client.address,
            user_agent: client.userAgent,
            rotated_at: timestamp(now),
            refresh_expires_at: timestamp(refreshExpiresAt),
            expires_at: timestamp(Math.max(refreshExpiresAt, now + lifetimes.accessSeconds * 1000)),
          }
          transaction.put(sessions, rotated)
          return give(rotated)
        }
        const isSameClient = session.address === client.address && session.user_agent === client.userAgent
        if (isSameClient && isInGrace(session, place.generation, now)) return give(session)
        await dependencies.sessions.endWithin(transaction, session.id)
        audit.record(transaction, {
          kind: 'session.refresh_reused',
          actor: { userId: null, address: client.address },
          subjectId: user.id,
          details: { session_id: session.id },
        })
        return { outcome: 'reused' }
      })
      if (rotation.outcome === 'refreshed') return rotation.refreshed
      if (rotation.outcome === 'refused') throw unauthenticatedError.create({})
      log.warn('A refresh token was used again after it had been replaced; its session was ended.', {
        session_id: place.sessionId,
        address: client.address,
      })
      throw refreshReusedError.create({})
    },
    async credentialOf(token) {
      const place = tokens.read(token)
      const session = place && (await database.collection(sessions).get(place.sessionId))
      const user = session && (await database.collection(users).get(session.user_id))
      const now = clock.now()
      if (!place || !session || !user || user.disabled || !isUsable(session, user, now) || !isFresh(session, now)) return undefined
      const counts = place.generation === session.generation || isInGrace(session, place.generation, now)
      return counts ? { session, user } : undefined
    },
  }
}
