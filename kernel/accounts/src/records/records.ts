import type { JsonObject } from '@agent-service/sdk'
import type { AccessScope } from '@agent-service/sdk/contracts/http-route'
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
  /** Sessions of another epoch have ended. Raised where all of them, or all but one, end together. */
  readonly session_epoch: number
  /** Pre-signed URLs of another epoch have ended. Raised where the user ends all of them. */
  readonly presign_epoch: number
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

/** An account that was deleted, and whose data has been erased so far. Kept: a plugin that does not run now may hold some of it. */
export interface UserErasureRecord {
  /** The id that the account had. */
  readonly id: string
  readonly handle: string
  readonly requested_at: string
  /** Which parts are done: ids of `user.data`, and `files`. */
  readonly erased: readonly string[]
}

/** What must be decided once for all accounts together. */
export interface AccountGuardRecord {
  readonly id: 'accounts'
  /** Admins who are not disabled. */
  readonly admins: number
}

/** One sign-in on one device: the family of its refresh tokens. */
export interface SessionRecord {
  readonly id: string
  readonly user_id: string
  /** The user's epoch when it began, or was spared. */
  readonly epoch: number
  /** How often the refresh token was replaced: which one counts. */
  readonly generation: number
  /** Who signed in or replaced the token last. */
  readonly address: string
  readonly user_agent: string
  readonly created_at: string
  /** When the present refresh token was made. */
  readonly rotated_at: string
  /** When it ends by itself. */
  readonly refresh_expires_at: string
  /** When its last credential ends by itself. */
  readonly expires_at: string
  /** When it was ended early; null while it lives. */
  readonly ended_at: string | null
  /** When its person last showed anew who they are; null while they have not. A sign-in does not count. */
  readonly confirmed_at: string | null
}

/** That somebody has signed in to an account from an address. The id is the user's and a digest of both. */
export interface KnownAddressRecord {
  readonly id: string
  readonly user_id: string
  readonly seen_at: string
}

/** Who an account is at an identity provider. An account has one identity of a provider at most, an identity one account. */
export interface ExternalIdentityRecord {
  readonly id: string
  readonly user_id: string
  readonly issuer: string
  readonly subject: string
  /** As the provider said it at the last sign-in. */
  readonly email: string | null
  /** Null where the provider does not say. */
  readonly email_verified: boolean | null
  readonly created_at: string
  readonly last_sign_in_at: string
}

/** A token for programs. What it is proven by is not stored, only its digest. */
export interface PersonalAccessTokenRecord {
  readonly id: string
  readonly user_id: string
  readonly name: string
  /** The beginning of the token, to tell it from others. */
  readonly prefix: string
  /** SHA-256 of the token, in hexadecimal. */
  readonly digest: string
  readonly scopes: readonly AccessScope[]
  readonly created_at: string
  /** Null: until it is revoked. */
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

/** A credential that is kept nowhere and was ended early: its id, or its grant's, counts no more. */
export interface CredentialDenialRecord {
  readonly id: string
  readonly user_id: string
  readonly created_at: string
  /** When the last of what it denies is over by itself. */
  readonly expires_at: string
}

/** A key that signs tokens. Its id is its `kid`, the RFC 7638 thumbprint of the public part. */
export interface SigningKeyRecord {
  readonly id: string
  /** `active` signs and verifies; `retired` verifies until the tokens that it signed are gone. */
  readonly state: 'active' | 'retired'
  readonly public_jwk: JsonObject
  /** The private part, sealed: bound to this record. */
  readonly private_sealed: string
  readonly created_at: string
  readonly retired_at: string | null
}

/** One value that all sign-ins share: the issuer that the tokens given out so far carry, the key that signs, the sealed key of refresh tokens. */
export interface AuthSettingRecord {
  readonly id: 'issuer' | 'signing-key' | 'refresh-key'
  readonly value: string
}

export const users = defineCollection<UserRecord>()({
  name: 'kernel.users',
  version: 3,
  indexes: {
    by_username: { fields: ['username'], unique: true },
    by_handle: { fields: ['handle'], unique: true },
    by_email: { fields: ['email'], unique: true },
  },
  migrations: [
    {
      to: 2,
      description: 'Accounts get the epoch of their sessions.',
      migrate: (user) => ({ ...user, session_epoch: 0 }),
    },
    {
      to: 3,
      description: 'Accounts get the epoch of their pre-signed URLs.',
      migrate: (user) => ({ ...user, presign_epoch: 0 }),
    },
  ],
})

export const userNames = defineCollection<UserNameRecord>()({ name: 'kernel.user_names', version: 1, indexes: {} })

export const userErasures = defineCollection<UserErasureRecord>()({
  name: 'kernel.user_erasures',
  version: 1,
  indexes: { by_request: { fields: ['requested_at'] } },
})

export const accountGuard = defineCollection<AccountGuardRecord>()({ name: 'kernel.account_guard', version: 1, indexes: {} })

export const sessions = defineCollection<SessionRecord>()({
  name: 'kernel.sessions',
  version: 3,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'created_at'] }, by_expiry: { fields: ['expires_at'] } },
  migrations: [
    {
      to: 2,
      description: 'Sessions get a refresh token, which those that began without one cannot use.',
      migrate: (session) => ({
        ...session,
        ...{ epoch: 0, generation: 0, address: '', user_agent: '' },
        ...{ rotated_at: session['created_at'] ?? null, refresh_expires_at: session['created_at'] ?? null },
      }),
    },
    {
      to: 3,
      description: 'Sessions get the time of their confirmation; those that are there have none.',
      migrate: (session) => ({ ...session, confirmed_at: null }),
    },
  ],
})

export const knownAddresses = defineCollection<KnownAddressRecord>()({
  name: 'kernel.known_addresses',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'seen_at'] }, by_time: { fields: ['seen_at'] } },
})

export const externalIdentities = defineCollection<ExternalIdentityRecord>()({
  name: 'kernel.external_identities',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_subject: { fields: ['issuer', 'subject'], unique: true },
    by_user: { fields: ['user_id', 'issuer'], unique: true },
  },
})

export const personalAccessTokens = defineCollection<PersonalAccessTokenRecord>()({
  name: 'kernel.personal_access_tokens',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'created_at'] }, by_digest: { fields: ['digest'], unique: true } },
})

export const credentialDenials = defineCollection<CredentialDenialRecord>()({
  name: 'kernel.credential_denials',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'created_at'] }, by_expiry: { fields: ['expires_at'] } },
})

export const signingKeys = defineCollection<SigningKeyRecord>()({
  name: 'kernel.signing_keys',
  version: 2,
  indexes: { by_state: { fields: ['state', 'created_at'] } },
  migrations: [
    {
      to: 2,
      description: 'Signing keys get the time of their retirement.',
      migrate: (key) => ({ ...key, retired_at: null }),
    },
  ],
})

export const authSettings = defineCollection<AuthSettingRecord>()({ name: 'kernel.auth_settings', version: 1, indexes: {} })

/** Every collection of accounts, for the kernel's `openFor`. */
export const authCollections: readonly CollectionDefinition[] = [
  users,
  userNames,
  userErasures,
  accountGuard,
  sessions,
  knownAddresses,
  externalIdentities,
  personalAccessTokens,
  credentialDenials,
  signingKeys,
  authSettings,
]
