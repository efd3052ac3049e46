import { defineCollection } from '@agent-service/sdk/services/database'

/** The confirmation of an account's e-mail address. The id is the user's. */
export interface EmailConfirmationRecord {
  readonly id: string
  readonly user_id: string
  /** The address that the code is for. */
  readonly email: string
  /** Keyed digest of user, address and code; null while no code is valid. */
  readonly digest: string | null
  readonly expires_at: string | null
  /** Wrong codes since the code was made. */
  readonly attempts: number
  /** When e-mails with codes were permitted, within the last day, the oldest first. */
  readonly permitted_at: readonly string[]
}

/**
 * How many e-mails with codes an address has been sent, over all accounts. The id is a keyed digest of
 * the address: the record outlives the accounts, and names no one.
 */
export interface EmailLimitRecord {
  readonly id: string
  /** Within the last day, the oldest first. */
  readonly permitted_at: readonly string[]
  readonly forget_at: string
}

export const emailConfirmations = defineCollection<EmailConfirmationRecord>()({
  name: 'kernel.email_confirmations',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id'] } },
})

export const emailLimits = defineCollection<EmailLimitRecord>()({
  name: 'kernel.email_limits',
  version: 1,
  indexes: { by_time: { fields: ['forget_at'] } },
})
