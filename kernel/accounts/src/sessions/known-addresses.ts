import { createHash } from 'node:crypto'
import { deleteOlder } from '@agent-service/kernel-core/database/collections'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { networkOf } from '@agent-service/sdk/services/quotas'
import { knownAddresses } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'

const keptMs = 90 * 24 * 60 * 60 * 1000

/**
 * The addresses from which an account was signed in to. Stored as digests, IPv6 ones by their /64,
 * for ninety days.
 */
export interface KnownAddresses {
  has(userId: string, address: string): Promise<boolean>
  /** Stores an address in the transaction of the sign-in. */
  remember(transaction: Transaction, userId: string, address: string): void
  prune(options: { readonly signal: AbortSignal }): Promise<void>
}

export function createKnownAddresses(dependencies: { readonly database: Database; readonly clock: Clock }): KnownAddresses {
  const { database, clock } = dependencies
  const stored = database.collection(knownAddresses)
  return {
    async has(userId, address) {
      const record = await stored.get(idOf(userId, address))
      return record !== undefined && clock.now() - Date.parse(record.seen_at) < keptMs
    },
    remember: (transaction, userId, address) =>
      transaction.put(knownAddresses, { id: idOf(userId, address), user_id: userId, seen_at: timestamp(clock.now()) }),
    prune: ({ signal }) =>
      deleteOlder({ database, collection: knownAddresses, index: 'by_time', to: timestamp(clock.now() - keptMs), signal }),
  }
}

const idOf = (userId: string, address: string): string =>
  `${userId}/${createHash('sha256')
    .update(JSON.stringify([userId, networkOf(address)]))
    .digest('base64url')}`
