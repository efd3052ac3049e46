import type { JsonObject } from '@agent-service/sdk'
import type { AccessScope } from '@agent-service/sdk/contracts/http-route'
import type { HandOverItem } from '@agent-service/sdk/contracts/user-data'
import { type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'
import { auditEvents } from '../audit/index.js'
import { accountRequests, invitations } from './admission-records.js'
import { emailConfirmations, emailLimits } from './email-records.js'

export type UserRole = 'admin' | 'user'

/** An account as it is stored. */
export interface UserRecord {
  readonly id: string
  readonly username: string
  /** The first username: the name of the user's folder. Never changes and is never reused. */
  readonly handle: string
  readonly email: string | null
  /**
   * When the address was confirmed to be the person's: by a code, by an identity provider, or by an
   * admin. Null until then, and again after each change of the address; nothing is sent to it.
   */
  readonly email_verified_at: string | null
  readonly name: string | null
  readonly role: UserRole
  /** IANA. */
  readonly timezone: string | null
  /** A tag such as `de`: of what the service writes to the person. Absent in accounts that are older than it. */
  readonly language?: string | null
  /** PHC text of argon2id; null if the account has no local password. */
  readonly password_hash: string | null
  readonly disabled: boolean
  /**
   * Sessions of another epoch have ended. Raised when all of them, or all but one, end together.
   */
  readonly session_epoch: number
  /** Pre-signed URLs of another epoch are invalid. Raised when the user revokes all of them. */
  readonly presign_epoch: number
  readonly created_at: string
  readonly updated_at: string
}

/**
 * A name that is taken, or was a handle. Its id is the name, so that two accounts cannot both claim
 * it.
 */
export interface UserNameRecord {
  readonly id: string
  /** Its account; null if that was deleted and the name is kept because it was a handle. */
  readonly user_id: string | null
  readonly handle: boolean
}

/**
 * A deleted account, and which of its data has been erased. Never deleted: a plugin that is not
 * running may still hold some.
 */
export interface UserErasureRecord {
  /** The id that the account had. */
  readonly id: string
  readonly handle: string
  readonly requested_at: string
  /** The erased parts: ids of `user.data`, `files`, and `audit-names`. */
  readonly erased: readonly string[]
  /** What the person was called, sealed, until no entry of the audit log has it any more. Null: the handle alone. */
  readonly names_sealed: string | null
  /** Whether the names have the earlier ones, too, which only the audit log knew. */
  readonly has_earlier_names: boolean
  /** The time up to which the audit log has been read. Null: not yet. */
  readonly audit_read_to: string | null
}

/** One name of a person whose account was deleted. */
export interface ErasedName {
  /** `username` also stands for the handle, `name` for the name that is shown. */
  readonly kind: 'username' | 'email' | 'name'
  readonly text: string
  /** Since when and until when it was that person's. Null: always, as a handle is never used again. */
  readonly from: string | null
  readonly to: string | null
}

/** State that must be consistent across all accounts. */
export interface AccountGuardRecord {
  readonly id: 'accounts'
  /** Admins who are not disabled. */
  readonly admins: number
}

/** One sign-in on one device: the family of its refresh tokens. */
export interface SessionRecord {
  readonly id: string
  readonly user_id: string
  /** The user's epoch when it began, or when it was kept while the others ended. */
  readonly epoch: number
  /** How often the refresh token was replaced: which one is valid. */
  readonly generation: number
  /** The address of the last sign-in or refresh. */
  readonly address: string
  readonly user_agent: string
  readonly created_at: string
  /** When the current refresh token was issued. */
  readonly rotated_at: string
  /** When the refresh token expires. */
  readonly refresh_expires_at: string
  /** When its last credential expires. */
  readonly expires_at: string
  /** When it was ended; null while it is active. */
  readonly ended_at: string | null
  /** When it was last confirmed; null before that. A sign-in does not count. */
  readonly confirmed_at: string | null
}

/**
 * An address from which an account was signed in to. The id is the user's id with a digest of both.
 */
export interface KnownAddressRecord {
  readonly id: string
  readonly user_id: string
  readonly seen_at: string
}

/**
 * The identity of an account at an identity provider. An account has at most one identity of each
 * provider, an identity one account.
 */
export interface ExternalIdentityRecord {
  readonly id: string
  readonly user_id: string
  readonly issuer: string
  readonly subject: string
  /** As the provider reported it at the last sign-in. */
  readonly email: string | null
  /** Null if the provider does not report it. */
  readonly email_verified: boolean | null
  readonly created_at: string
  readonly last_sign_in_at: string
}

/**
 * The hand-over of an account to the person whom single sign-on has proven to own its e-mail
 * address. Its id is the account's. It stays when it is done, for the person to be told.
 */
export interface HandOverRecord {
  readonly id: string
  readonly user_id: string
  readonly handle: string
  readonly began_at: string
  /** When everything of the plugins that ran was handed over, and the person could sign in. */
  readonly completed_at: string | null
  /** The folder below the account's files that has copies of what was taken away. */
  readonly folder: string
  /** The steps that are done: `<stage>/<part>`. */
  readonly done: readonly string[]
  /**
   * The plugins that had data of users when it began and whose is not handed over: that of one that
   * does not run, when it runs again.
   */
  readonly awaits: readonly string[]
  /** What was there, for the new holder. */
  readonly items: readonly (HandOverItem & { readonly part: string })[]
  /** Whether something is left to do. */
  readonly open: boolean
}

/** A token for programs. Only its digest is stored. */
export interface PersonalAccessTokenRecord {
  readonly id: string
  readonly user_id: string
  readonly name: string
  /** The beginning of the token, for recognizing it. */
  readonly prefix: string
  /** SHA-256 of the token, in hexadecimal. */
  readonly digest: string
  readonly scopes: readonly AccessScope[]
  readonly created_at: string
  /** Null: valid until it is revoked. */
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

/** A revoked credential that is not stored: its id, or that of its grant, is no longer valid. */
export interface CredentialDenialRecord {
  readonly id: string
  readonly user_id: string
  readonly created_at: string
  /** When everything that it denies has expired. */
  readonly expires_at: string
}

/** A key that signs tokens. Its id is its `kid`, the RFC 7638 thumbprint of the public part. */
export interface SigningKeyRecord {
  readonly id: string
  /**
   * `active` signs and verifies; `retired` verifies until the tokens that it signed have expired.
   */
  readonly state: 'active' | 'retired'
  readonly public_jwk: JsonObject
  /** The private part, sealed: bound to this record. */
  readonly private_sealed: string
  readonly created_at: string
  readonly retired_at: string | null
}

/**
 * A value that all sign-ins share: the issuer of the tokens so far, the id of the signing key, the
 * sealed key of refresh tokens; or a mark that something was done once.
 */
export interface AuthSettingRecord {
  readonly id: 'issuer' | 'signing-key' | 'refresh-key' | 'settled-addresses'
  readonly value: string
}

export const users = defineCollection<UserRecord>()({
  name: 'kernel.users',
  version: 4,
  indexes: {
    by_username: { fields: ['username'], unique: true },
    by_handle: { fields: ['handle'], unique: true },
    by_email: { fields: ['email'], unique: true },
    by_role: { fields: ['role'] },
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
    {
      to: 4,
      description: 'Accounts get the time when their e-mail address was confirmed; none is until that is proven.',
      migrate: (user) => ({ ...user, email_verified_at: null }),
    },
  ],
})

export const userNames = defineCollection<UserNameRecord>()({ name: 'kernel.user_names', version: 1, indexes: {} })

export const userErasures = defineCollection<UserErasureRecord>()({
  name: 'kernel.user_erasures',
  version: 2,
  indexes: { by_request: { fields: ['requested_at'] } },
  migrations: [
    {
      to: 2,
      description: 'Erasures get the names that the audit log must not keep; of those that are there only the handle is known.',
      migrate: (erasure) => ({
        ...erasure,
        names_sealed: null,
        has_earlier_names: false,
        audit_read_to: null,
      }),
    },
  ],
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

export const handOvers = defineCollection<HandOverRecord>()({
  name: 'kernel.hand_overs',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id'] }, by_open: { fields: ['open', 'began_at'] } },
})

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
  handOvers,
  emailConfirmations,
  emailLimits,
  invitations,
  accountRequests,
  auditEvents,
]
