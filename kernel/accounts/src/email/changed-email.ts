import type { Transaction } from '@agent-service/sdk/services/database'
import type { EmailChange } from '@agent-service/sdk/services/email-confirmation'
import { emailConfirmations } from '../records/email-records.js'
import type { UserRecord } from '../records/records.js'

/**
 * The account with another address: it is unconfirmed, and the code for the earlier one ends, so that
 * it is of no use if that address comes back. The caller writes the account.
 */
export async function withEmail(transaction: Transaction, user: UserRecord, email: string | null): Promise<UserRecord> {
  if (email === user.email) return user
  const confirmation = await transaction.get(emailConfirmations, user.id)
  if (confirmation?.digest != null) transaction.put(emailConfirmations, { ...confirmation, digest: null, expires_at: null })
  return { ...user, email, email_verified_at: null }
}

/** What the owner of the earlier address is told. */
export const confirmedBefore = (before: UserRecord, after: UserRecord): string | null =>
  before.email_verified_at !== null && before.email !== after.email ? before.email : null

/** Announces changed addresses within this process. */
export interface EmailChanges {
  /** Called after the commit. */
  announce(change: EmailChange): void
  /** Returns what ends it. */
  watch(listener: (change: EmailChange) => void): () => void
}

export function createEmailChanges(): EmailChanges {
  const listeners = new Set<(change: EmailChange) => void>()
  return {
    announce(change) {
      for (const listener of listeners) listener(change)
    },
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
