import { unauthenticatedError } from '@agent-service/kernel-core/http'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { AuditLog } from '../audit/index.js'
import type { OwnPassword } from '../passwords/own-password.js'
import { invalidCredentialsError } from '../records/errors.js'
import { type SessionRecord, sessions, type UserRecord, users } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'
import { confirmationEnd } from './confirmation.js'
import { isUsable } from './sessions.js'

/** How a person proved their identity. */
export type ConfirmationMethod = 'password' | 'single_sign_on'

/** An active session with its user. */
export interface LiveSession {
  readonly session: SessionRecord
  readonly user: UserRecord
}

/**
 * Confirms sessions: for five minutes they may do what a borrowed session must not. Survives
 * refreshes, and ends with the session.
 */
export interface SessionConfirmation {
  /**
   * Confirms a session by its user's password; returns when the confirmation ends, in milliseconds
   * since 1970.
   * @throws `invalid_credentials`, also without a local password, `rate_limited`, `sign_in_busy`,
   * `unauthenticated`.
   */
  byPassword(
    user: UserRecord,
    password: string,
    by: { readonly sessionId: string; readonly address: string; readonly signal: AbortSignal },
  ): Promise<number>
  /** The session as the transaction sees it; `undefined` if it is no longer usable. */
  find(transaction: Transaction, sessionId: string): Promise<LiveSession | undefined>
  /**
   * Confirms a session in the transaction and notes the method; returns when the confirmation ends.
   */
  confirm(transaction: Transaction, found: LiveSession, by: { readonly method: ConfirmationMethod; readonly address: string }): number
  /** Notes a failed attempt. `sessionId`: the session to confirm. */
  noteRefusal(refusal: {
    readonly userId: string | null
    readonly sessionId: string
    readonly address: string
    readonly method: ConfirmationMethod
    readonly reason: string
  }): Promise<void>
}

export function createSessionConfirmation(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly ownPassword: OwnPassword
  readonly audit: AuditLog
  readonly log: Logger
}): SessionConfirmation {
  const { database, clock, ownPassword, audit, log } = dependencies

  const find: SessionConfirmation['find'] = async (transaction, sessionId) => {
    const session = await transaction.get(sessions, sessionId)
    const user = session && (await transaction.get(users, session.user_id))
    return session && user && !user.disabled && isUsable(session, user, clock.now()) ? { session, user } : undefined
  }
  const confirm: SessionConfirmation['confirm'] = (transaction, { session, user }, { method, address }) => {
    const now = clock.now()
    transaction.put(sessions, { ...session, confirmed_at: timestamp(now) })
    audit.record(transaction, {
      ...{ kind: 'session.confirmed', actor: { userId: user.id, address }, subjectId: user.id },
      details: { session_id: session.id, method },
    })
    return confirmationEnd(now)
  }
  const noteRefusal: SessionConfirmation['noteRefusal'] = async ({ userId, sessionId, address, method, reason }) => {
    log.warn('A session was not confirmed.', { address, user_id: userId, session_id: sessionId, method, reason })
    await audit.note({
      ...{ kind: 'session.confirmation_refused', actor: { userId, address }, subjectId: userId },
      details: { session_id: sessionId, method, reason },
    })
  }

  return {
    find,
    confirm,
    noteRefusal,
    async byPassword(user, password, { sessionId, address, signal }) {
      const method = 'password'
      if (!(await ownPassword.fits(user, password, signal))) {
        await noteRefusal({ userId: user.id, sessionId, address, method, reason: 'wrong_password' })
        throw invalidCredentialsError.create({})
      }
      const until = await database.transaction(async (transaction) => {
        const found = await find(transaction, sessionId)
        if (found?.user.id !== user.id) throw unauthenticatedError.create({})
        // The password was changed during the check: the one that was checked is no longer valid.
        if (found.user.session_epoch !== user.session_epoch) throw invalidCredentialsError.create({})
        return confirm(transaction, found, { method, address })
      })
      log.info('A session was confirmed by the password.', { address, user_id: user.id, session_id: sessionId })
      return until
    },
  }
}
