import type { AuditActor } from '@agent-service/kernel-core/audit'
import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Page } from '@agent-service/sdk/services/database'
import type { AuditLog } from '../audit/index.js'
import { type ExternalIdentityRecord, externalIdentities, users } from '../records/records.js'
import type { Revocations } from '../records/revocations.js'
import { timestamp } from '../records/timestamps.js'
import type { Sessions } from './sessions.js'

/** How an account is signed in to, for admins: its sessions and its external identities. */
export interface AdministeredAccess {
  /**
   * Ends every session of an account, with everything that depends on them. Its personal access
   * tokens stay.
   * @throws `not_found`.
   */
  endSessions(userId: string, actor: AuditActor): Promise<void>
  /** Ends one session of an account. @throws `not_found`. */
  endSession(userId: string, sessionId: string, actor: AuditActor): Promise<void>
  /** The identities of an account, by issuer. */
  identitiesOf(userId: string, options: { readonly limit?: number; readonly cursor?: string }): Promise<Page<ExternalIdentityRecord>>
  /** Removes an identity from an account: it no longer signs in to it. @throws `not_found`. */
  unlink(userId: string, identityId: string, actor: AuditActor): Promise<void>
}

export function createAdministeredAccess(dependencies: {
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  readonly sessions: Pick<Sessions, 'endWithin'>
  readonly revocations: Revocations
  readonly audit: AuditLog
}): AdministeredAccess {
  const { database, kernelDatabase, clock, sessions, revocations, audit } = dependencies
  return {
    endSessions: (userId, actor) =>
      database.transaction(async (transaction) => {
        const user = await transaction.get(users, userId)
        if (!user) throw notFoundError.create({ what: 'user' })
        transaction.put(users, { ...user, session_epoch: user.session_epoch + 1, updated_at: timestamp(clock.now()) })
        audit.record(transaction, { kind: 'session.ended', actor, subjectId: userId, details: { sessions: 'all' } })
        kernelDatabase.kernelView(transaction).afterCommit(() => revocations.sessionsRevoked(userId))
      }),
    endSession: (userId, sessionId, actor) =>
      database.transaction(async (transaction) => {
        const ended = await sessions.endWithin(transaction, sessionId)
        if (ended?.user_id !== userId) throw notFoundError.create({ what: 'session' })
        audit.record(transaction, { kind: 'session.ended', actor, subjectId: userId, details: { session_id: sessionId } })
      }),
    identitiesOf: (userId, options) => database.collection(externalIdentities).query({ index: 'by_user', equals: [userId], ...options }),
    unlink: (userId, identityId, actor) =>
      database.transaction(async (transaction) => {
        const identity = await transaction.get(externalIdentities, identityId)
        if (identity?.user_id !== userId) throw notFoundError.create({ what: 'identity' })
        transaction.delete(externalIdentities, identityId)
        audit.record(transaction, { kind: 'identity.unlinked', actor, subjectId: userId, details: { issuer: identity.issuer } })
      }),
  }
}
