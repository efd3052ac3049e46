import { defineCollection } from '@agent-service/sdk/services/database'

/** A link with which people make an account, whether or not registration is open. */
export interface InvitationRecord {
  readonly id: string
  /** SHA-256 of the token, in hexadecimal. The token itself is stored nowhere. */
  readonly digest: string
  /** The admin who made it. Null: the command line. */
  readonly user_id: string | null
  /** The role of the accounts that are made with it. */
  readonly role: 'admin' | 'user'
  /** The only address that an account made with it may have. Null: any, or none. */
  readonly email: string | null
  /** Whom it is for; the name of the account unless the person gives another. */
  readonly name: string | null
  readonly max_uses: number
  readonly uses: number
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
}

/**
 * A person who waits for an admin. This is not an account: no sign-in, token or channel can find it,
 * and it has no data.
 */
export interface AccountRequestRecord {
  readonly id: string
  readonly username: string
  readonly email: string | null
  readonly name: string | null
  readonly timezone: string | null
  readonly language: string | null
  /** PHC text of argon2id; null for a person of single sign-on. */
  readonly password_hash: string | null
  /** The identity at the provider; null for a person with a password. */
  readonly issuer: string | null
  readonly subject: string | null
  /** What the provider says of its address, which may be held by an account. */
  readonly identity_email: string | null
  readonly identity_email_verified: boolean | null
  /** A digest of the network that it came from: one network may not fill the list. */
  readonly network: string
  readonly created_at: string
  readonly expires_at: string
}

export const invitations = defineCollection<InvitationRecord>()({
  name: 'kernel.invitations',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_digest: { fields: ['digest'], unique: true },
    by_user: { fields: ['user_id', 'created_at'] },
    by_expiry: { fields: ['expires_at'] },
  },
})

export const accountRequests = defineCollection<AccountRequestRecord>()({
  name: 'kernel.account_requests',
  version: 1,
  indexes: {
    by_username: { fields: ['username'], unique: true },
    by_email: { fields: ['email'], unique: true },
    by_subject: { fields: ['issuer', 'subject'], unique: true },
    by_network: { fields: ['network'] },
    by_expiry: { fields: ['expires_at'] },
  },
})
