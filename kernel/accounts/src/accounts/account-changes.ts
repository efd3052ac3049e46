import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import { unauthenticatedError } from '@agent-service/kernel-core/http'
import type { Problem } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { AuditLog } from '../audit/index.js'
import { confirmedBefore, type EmailChanges, withEmail } from '../email/changed-email.js'
import type { OwnPassword } from '../passwords/own-password.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import { emailTakenError, usernameTakenError } from '../records/errors.js'
import { sessions, type UserRecord, userNames, users } from '../records/records.js'
import type { Revocations } from '../records/revocations.js'
import { timestamp } from '../records/timestamps.js'
import { checkNewPassword, checkProfileChange, checkUsername, type ProfileChange } from './account-input.js'

/**
 * Changes that people make to their own account. Each is atomic; `address` is the client's, for the
 * audit log.
 */
export interface AccountChanges {
  /**
   * Changes the username; the old one is free again unless it is the account's handle. @throws
   * `invalid_request`, `username_taken`.
   */
  rename(userId: string, username: string, address: string): Promise<UserRecord>
  /**
   * Changes name, e-mail address and time zone; absent members stay, null clears. Another address is
   * unconfirmed. @throws
   * `invalid_request`, `email_taken`.
   */
  changeProfile(userId: string, change: ProfileChange, address: string): Promise<UserRecord>
  /**
   * Changes the password. Every session but the given one ends at once. The current password is the
   * proof that such a change needs; a wrong one is noted in the audit log, and attempts are delayed
   * as {@link OwnPassword} says.
   * @throws `invalid_request` at `/current_password` if that is wrong, `password_too_common`,
   * `password_contains_name`, `rate_limited`, `sign_in_busy`.
   */
  changePassword(
    user: UserRecord,
    passwords: { readonly current: string; readonly next: string },
    by: { readonly sessionId: string; readonly address: string; readonly signal: AbortSignal },
  ): Promise<void>
}

export function createAccountChanges(dependencies: {
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  readonly hasher: PasswordHasher
  readonly ownPassword: OwnPassword
  readonly revocations: Revocations
  readonly emailChanges: Pick<EmailChanges, 'announce'>
  readonly audit: AuditLog
  readonly commonPasswords: ReadonlySet<string>
}): AccountChanges {
  const { database, kernelDatabase, clock, hasher, ownPassword, revocations, emailChanges, audit, commonPasswords } = dependencies
  const updatedAt = (): { readonly updated_at: string } => ({ updated_at: timestamp(clock.now()) })

  return {
    rename(userId, wanted, address) {
      const username = checkUsername(wanted)
      return database.transaction(async (transaction) => {
        const user = await transaction.get(users, userId)
        if (!user) throw unauthenticatedError.create({})
        if (user.username === username) return user
        const holder = await transaction.get(userNames, username)
        if (holder && holder.user_id !== userId) throw usernameTakenError.create({ username })
        if (!holder) transaction.insert(userNames, { id: username, user_id: userId, handle: false })
        if (user.username !== user.handle) transaction.delete(userNames, user.username)
        const renamed = { ...user, username, ...updatedAt() }
        transaction.put(users, renamed)
        audit.record(transaction, {
          ...{ kind: 'username.changed', actor: { userId, address }, subjectId: userId },
          ...{ before: { username: user.username }, after: { username } },
        })
        return renamed
      })
    },
    changeProfile(userId, change, address) {
      const checked = checkProfileChange(change)
      return database.transaction(async (transaction) => {
        const user = await transaction.get(users, userId)
        if (!user) throw unauthenticatedError.create({})
        if (typeof checked.email === 'string') {
          const holder = await transaction.find(users, 'by_email', [checked.email])
          if (holder && holder.id !== userId) throw emailTakenError.create({})
        }
        const moved = checked.email === undefined ? user : await withEmail(transaction, user, checked.email)
        const changed = { ...moved, ...checked, ...updatedAt() }
        if (changed.email !== user.email) {
          audit.record(transaction, { kind: 'email.changed', actor: { userId, address }, subjectId: userId })
          const change = { userId, confirmedBefore: confirmedBefore(user, changed), wantsCode: changed.email !== null }
          kernelDatabase.kernelView(transaction).afterCommit(() => emailChanges.announce(change))
        }
        transaction.put(users, changed)
        return changed
      })
    },
    async changePassword(user, { current, next }, { sessionId, address, signal }) {
      checkNewPassword(next, commonPasswords, user, '/new_password')
      if (!(await ownPassword.fits(user, current, signal))) {
        await audit.note({ kind: 'password.change_refused', actor: { userId: user.id, address }, subjectId: user.id })
        throw wrongPassword()
      }
      const passwordHash = await hasher.hash(next)
      await database.transaction(async (transaction) => {
        const now = await transaction.get(users, user.id)
        // The password was changed in the meantime: the one that was checked is no longer valid.
        if (!now || now.password_hash !== user.password_hash) throw wrongPassword()
        const epoch = now.session_epoch + 1
        const spared = await transaction.get(sessions, sessionId)
        if (spared && spared.user_id === user.id && spared.epoch === now.session_epoch) transaction.put(sessions, { ...spared, epoch })
        audit.record(transaction, { kind: 'password.changed', actor: { userId: user.id, address }, subjectId: user.id })
        transaction.put(users, { ...now, password_hash: passwordHash, session_epoch: epoch, ...updatedAt() })
        kernelDatabase.kernelView(transaction).afterCommit(() => revocations.sessionsRevoked(user.id, sessionId))
      })
    },
  }
}

const wrongPassword = (): Error => {
  const problem: Problem = { path: '/current_password', message: 'is not the current password' }
  return invalidRequestError.create({ where: 'body' }, { problems: [problem] })
}
