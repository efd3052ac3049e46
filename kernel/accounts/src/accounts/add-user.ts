import type { Transaction } from '@agent-service/sdk/services/database'
import { v7 as uuid } from 'uuid'
import { type AccountGuardRecord, accountGuard, type UserRecord, type UserRole, userNames, users } from '../records/records.js'

/** A new account, in its stored form. */
export interface NewUser {
  readonly username: string
  readonly email: string | null
  /** Null: the address is not confirmed. */
  readonly emailVerifiedAt: string | null
  readonly name: string | null
  readonly timezone: string | null
  /** Default: none. */
  readonly language?: string | null
  readonly role: UserRole
  /** Null for an account without a local password. */
  readonly passwordHash: string | null
  readonly createdAt: string
}

/**
 * Adds an account in the transaction that decided on it: the record, its name, and the count of
 * admins. `guard` is what the transaction read. The caller has checked in it that name and e-mail
 * address are free.
 */
export function addUser(transaction: Transaction, guard: AccountGuardRecord | undefined, input: NewUser): UserRecord {
  const { username, email, emailVerifiedAt, name, timezone, language = null, role, passwordHash, createdAt } = input
  const user: UserRecord = {
    id: uuid(),
    username,
    handle: username,
    email,
    email_verified_at: emailVerifiedAt,
    name,
    role,
    timezone,
    language,
    password_hash: passwordHash,
    disabled: false,
    session_epoch: 0,
    presign_epoch: 0,
    created_at: createdAt,
    updated_at: createdAt,
  }
  transaction.insert(users, user)
  transaction.insert(userNames, { id: user.handle, user_id: user.id, handle: true })
  if (role === 'admin') transaction.put(accountGuard, { id: 'accounts', admins: (guard?.admins ?? 0) + 1 })
  return user
}
