import { deleteOlder } from '@agent-service/kernel-core/database/collections'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { credentialDenials } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'

/**
 * Denials of unstored credentials that were revoked. Each is kept until its credential would have
 * expired.
 */
export interface CredentialDenials {
  /** Denies a credential in the transaction. `until` is in milliseconds since 1970. */
  deny(transaction: Transaction, denied: { readonly id: string; readonly userId: string; readonly until: number }): void
  isDenied(id: string): Promise<boolean>
  /** As the transaction sees it. */
  isDeniedWithin(transaction: Transaction, id: string): Promise<boolean>
  /** Deletes denials whose credentials have expired. */
  prune(options: { readonly signal: AbortSignal }): Promise<void>
}

export function createCredentialDenials(dependencies: { readonly database: Database; readonly clock: Clock }): CredentialDenials {
  const { database, clock } = dependencies
  return {
    deny(transaction, { id, userId, until }) {
      transaction.put(credentialDenials, {
        ...{ id, user_id: userId },
        ...{ created_at: timestamp(clock.now()), expires_at: timestamp(until) },
      })
    },
    isDenied: async (id) => (await database.collection(credentialDenials).get(id)) !== undefined,
    isDeniedWithin: async (transaction, id) => (await transaction.get(credentialDenials, id)) !== undefined,
    prune: ({ signal }) => deleteOlder({ database, collection: credentialDenials, index: 'by_expiry', to: timestamp(clock.now()), signal }),
  }
}
