import { isDeepStrictEqual } from 'node:util'
import type { AuditActor } from '@agent-service/kernel-core/audit'
import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import type { JsonObject, Problem } from '@agent-service/sdk'
import { invalidRequestError, notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { AuditLog } from '../audit/index.js'
import { confirmedBefore, type EmailChanges, withEmail } from '../email/changed-email.js'
import { presentNames, type SealedNames } from '../erasure/index.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import { invitations } from '../records/admission-records.js'
import { deleteTokensOf } from '../records/delete-tokens-of.js'
import { emailTakenError, lastAdminError } from '../records/errors.js'
import {
  accountGuard,
  type ErasedName,
  externalIdentities,
  type UserErasureRecord,
  type UserRecord,
  type UserRole,
  userErasures,
  userNames,
  users,
} from '../records/records.js'
import type { Revocations } from '../records/revocations.js'
import { timestamp } from '../records/timestamps.js'
import { checkNewPassword, checkProfileChange, type ProfileChange } from './account-input.js'

/** A change of an account by an admin; absent members stay. */
export interface AdministeredChange extends ProfileChange {
  readonly role?: UserRole
  readonly disabled?: boolean
  /** A new password. Every session of the account ends with it. */
  readonly password?: string
  /**
   * True: the admin vouches that `email`, which has to be given too, is the person's; otherwise the
   * person could replace the address at that moment. False: it has to be confirmed again.
   */
  readonly emailVerified?: boolean
}

/**
 * What admins and the command line do with accounts. At least one admin who can sign in always
 * remains.
 */
export interface AccountAdministration {
  /**
   * Makes a change atomically. A disabled account loses every session, token and stream at once.
   * @throws `not_found`, `last_admin`, `invalid_request`, `email_taken`, `password_too_common`,
   * `password_contains_name`.
   */
  change(userId: string, change: AdministeredChange, actor: AuditActor): Promise<UserRecord>
  /**
   * Deletes an account at once; its data is erased in the background, also across restarts. Its
   * handle is never used again.
   * @throws `not_found`, `last_admin`.
   */
  delete(userId: string, actor: AuditActor): Promise<void>
}

/**
 * `onDeleted` is called after an account was deleted, to begin the erasure of its data;
 * `onRolesChanged` when a role or the access of an account changes, before the change is
 * acknowledged.
 */
export function createAccountAdministration(dependencies: {
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  readonly hasher: PasswordHasher
  readonly revocations: Revocations
  readonly emailChanges: Pick<EmailChanges, 'announce'>
  readonly sealedNames: Pick<SealedNames, 'seal'>
  readonly audit: AuditLog
  readonly commonPasswords: ReadonlySet<string>
  readonly onDeleted: () => void
  readonly onRolesChanged: () => void
}): AccountAdministration {
  const {
    database,
    kernelDatabase,
    clock,
    hasher,
    revocations,
    emailChanges,
    sealedNames,
    audit,
    commonPasswords,
    onDeleted,
    onRolesChanged,
  } = dependencies

  /** Updates the number of admins who can sign in. `after` is undefined for a deleted account. */
  const countAdmins = async (transaction: Transaction, before: UserRecord, after: UserRecord | undefined): Promise<void> => {
    const difference = Number(isAdmin(after)) - Number(isAdmin(before))
    if (difference === 0) return
    const guard = await transaction.get(accountGuard, 'accounts')
    const admins = (guard?.admins ?? 0) + difference
    if (admins < 1) throw lastAdminError.create({ username: before.username })
    transaction.put(accountGuard, { id: 'accounts', admins })
  }

  /** The addresses that single sign-on has stated. */
  const emailsOf = async (userId: string): Promise<readonly (string | null)[]> => {
    const identities = await database.collection(externalIdentities).query({ index: 'by_user', equals: [userId], limit: 200 })
    return identities.items.map(({ email }) => email)
  }

  /** What the account is called now, and was by single sign-on. @throws `not_found`. */
  const namesOf = async (userId: string, requestedAt: string): Promise<readonly ErasedName[]> => {
    const user = await database.transaction((transaction) => transaction.get(users, userId))
    if (!user) throw notFoundError.create({ what: 'user' })
    return presentNames(user, await emailsOf(userId), requestedAt)
  }

  return {
    async change(userId, { role, disabled, password, emailVerified, ...asked }, actor) {
      const profile = checkProfileChange(asked)
      if (emailVerified === true && typeof profile.email !== 'string') throw vouchedForNothing()
      if (password !== undefined) {
        const owner = await database.collection(users).get(userId)
        if (!owner) throw notFoundError.create({ what: 'user' })
        checkNewPassword(password, commonPasswords, owner, '/password')
      }
      const passwordHash = password === undefined ? undefined : await hasher.hash(password)
      return database.transaction(async (transaction) => {
        const user = await transaction.get(users, userId)
        if (!user) throw notFoundError.create({ what: 'user' })
        if (typeof profile.email === 'string') {
          const holder = await transaction.find(users, 'by_email', [profile.email])
          if (holder && holder.id !== userId) throw emailTakenError.create({})
        }
        const revokeAccess = disabled === true && !user.disabled
        const moved = profile.email === undefined ? user : await withEmail(transaction, user, profile.email)
        const now = timestamp(clock.now())
        const changed: UserRecord = {
          ...moved,
          ...profile,
          email_verified_at:
            emailVerified === undefined ? moved.email_verified_at : emailVerified ? (moved.email_verified_at ?? now) : null,
          role: role ?? user.role,
          disabled: disabled ?? user.disabled,
          password_hash: passwordHash ?? user.password_hash,
          // When an account is enabled again, its old sessions stay ended.
          session_epoch: user.session_epoch + Number(revokeAccess || passwordHash !== undefined),
          updated_at: now,
        }
        const isAnother = passwordHash !== undefined
        const members = recordedMembers.filter((name) => changed[name] !== user[name])
        const before: JsonObject = {
          ...Object.fromEntries(members.map((name) => [name, user[name]])),
          ...(isAnother ? { password: user.password_hash === null ? null : 'set' } : {}),
        }
        const after: JsonObject = {
          ...Object.fromEntries(members.map((name) => [name, changed[name]])),
          ...(isAnother ? { password: user.password_hash === null ? 'set' : 'changed' } : {}),
        }
        if (Object.keys(after).length === 0) return user
        await countAdmins(transaction, user, changed)
        transaction.put(users, changed)
        if (revokeAccess) await deleteTokensOf(userId, database, transaction)
        if (isAdmin(user) && !isAdmin(changed)) await deleteInvitationsOf(userId, database, transaction)
        audit.record(transaction, { kind: 'account.changed', actor, subjectId: userId, before, after })
        const { afterCommit } = kernelDatabase.kernelView(transaction)
        const told = confirmedBefore(user, changed)
        if (told !== null) afterCommit(() => emailChanges.announce({ userId, confirmedBefore: told, wantsCode: false }))
        if (changed.role !== user.role || changed.disabled !== user.disabled) afterCommit(onRolesChanged)
        if (revokeAccess) afterCommit(() => revocations.userRevoked(userId))
        else if (passwordHash !== undefined) afterCommit(() => revocations.sessionsRevoked(userId))
        return changed
      })
    },
    async delete(userId, actor) {
      const requestedAt = timestamp(clock.now())
      for (;;) {
        const names = await namesOf(userId, requestedAt)
        const sealed = await sealedNames.seal(userId, names)
        const isDeleted = await database.transaction(async (transaction) => {
          const user = await transaction.get(users, userId)
          if (!user) throw notFoundError.create({ what: 'user' })
          await countAdmins(transaction, user, undefined)
          if (!isDeepStrictEqual(presentNames(user, await emailsOf(userId), requestedAt), names)) return false
          remove(transaction, user, { names_sealed: sealed, requested_at: requestedAt })
          audit.record(transaction, {
            kind: 'account.deleted',
            actor,
            subjectId: userId,
            before: { role: user.role, disabled: user.disabled },
          })
          kernelDatabase.kernelView(transaction).afterCommit(() => {
            onRolesChanged()
            revocations.userRevoked(userId)
            onDeleted()
          })
          return true
        })
        if (isDeleted) return
      }
    },
  }
}

/** Deletes the account, keeps its handle, and notes that its data is to be erased. */
function remove(
  transaction: Transaction,
  { id, handle, username }: UserRecord,
  erasure: Pick<UserErasureRecord, 'names_sealed' | 'requested_at'>,
): void {
  transaction.delete(users, id)
  if (username !== handle) transaction.delete(userNames, username)
  transaction.put(userNames, { id: handle, user_id: null, handle: true })
  transaction.insert(userErasures, { id, handle, ...erasure, erased: [], has_earlier_names: false, audit_read_to: null })
}

/** What the audit log has of a change. Names and e-mail addresses are replaced by the id when the account is erased. */
const recordedMembers = ['role', 'disabled', 'name', 'email', 'email_verified_at', 'timezone', 'language'] as const

const vouchedForNothing = (): Error => {
  const problem: Problem = { path: '/email_verified', message: 'needs “email” beside it: the address that you vouch for' }
  return invalidRequestError.create({ where: 'body' }, { problems: [problem] })
}

const isAdmin = (user: UserRecord | undefined): boolean => user !== undefined && user.role === 'admin' && !user.disabled

/**
 * Ends the invitations of an account that is no longer an admin, in the transaction of that change.
 * One that is being made at this moment is missed, but it does not work either: using it checks the
 * role of its maker.
 */
async function deleteInvitationsOf(userId: string, database: Database, transaction: Transaction): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await database
      .collection(invitations)
      .query({ index: 'by_user', equals: [userId], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    for (const { id } of page.items) transaction.delete(invitations, id)
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
