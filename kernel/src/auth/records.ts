import type { JsonObject } from '@agent-service/sdk'
import { type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'

export type UserRole = 'admin' | 'user'

/** An account as it is stored. */
export interface UserRecord {
  readonly id: string
  readonly username: string
  /** The first username: the name of the user's folder. Never changes and is never given again. */
  readonly handle: string
  readonly email: string | null
  readonly name: string | null
  readonly role: UserRole
  /** IANA. */
  readonly timezone: string | null
  /** PHC text of argon2id; null where the account has no local password. */
  readonly password_hash: string | null
  readonly disabled: boolean
  readonly created_at: string
  readonly updated_at: string
}

/** A name that somebody has, or whose folder somebody had. Its id is the name, so that two accounts cannot both claim it. */
export interface UserNameRecord {
  readonly id: string
  /** Whose it is; null when the account is gone and the name is kept because it was a handle. */
  readonly user_id: string | null
  readonly handle: boolean
}

/** What must be decided once for all accounts together. */
export interface AccountGuardRecord {
  readonly id: 'accounts'
  /** Admins who are not disabled. */
  readonly admins: number
}

/** One sign-in on one device. */
export interface SessionRecord {
  readonly id: string
  readonly user_id: string
  readonly created_at: string
  /** When its last credential ends by itself. */
  readonly expires_at: string
  /** When it was ended early; null while it lives. */
  readonly ended_at: string | null
}

/** A key that signs access tokens. Its id is its `kid`, the RFC 7638 thumbprint of the public part. */
export interface SigningKeyRecord {
  readonly id: string
  /** `active` signs and verifies; `retired` verifies until the tokens that it signed are gone. */
  readonly state: 'active' | 'retired'
  readonly public_jwk: JsonObject
  /** The private part, sealed: bound to this record. */
  readonly private_sealed: string
  readonly created_at: string
}

/** The issuer that the tokens given out so far carry. */
export interface AuthSettingRecord {
  readonly id: 'issuer' | 'signing-key'
  readonly value: string
}

export const users = defineCollection<UserRecord>()({
  name: 'kernel.users',
  version: 1,
  indexes: {
    by_username: { fields: ['username'], unique: true },
    by_handle: { fields: ['handle'], unique: true },
    by_email: { fields: ['email'], unique: true },
  },
})

export const userNames = defineCollection<UserNameRecord>()({ name: 'kernel.user_names', version: 1, indexes: {} })

export const accountGuard = defineCollection<AccountGuardRecord>()({ name: 'kernel.account_guard', version: 1, indexes: {} })

export const sessions = defineCollection<SessionRecord>()({
  name: 'kernel.sessions',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'created_at'] }, by_expiry: { fields: ['expires_at'] } },
})

export const signingKeys = defineCollection<SigningKeyRecord>()({
  name: 'kernel.signing_keys',
  version: 1,
  indexes: { by_state: { fields: ['state', 'created_at'] } },
})

export const authSettings = defineCollection<AuthSettingRecord>()({ name: 'kernel.auth_settings', version: 1, indexes: {} })

/** Every collection of accounts, for the kernel's `openFor`. */
export const authCollections: readonly CollectionDefinition[] = [users, userNames, accountGuard, sessions, signingKeys, authSettings]
