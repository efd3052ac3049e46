import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { type Share, shareCollection, snapshotCollection, totalsCollection } from './share.js'

/** Deletes a share with its snapshot and its part of the user's totals. */
export async function deleteShare(transaction: Transaction, share: Share): Promise<void> {
  transaction.delete(shareCollection, share.id)
  if (share.kind === 'chat') transaction.delete(snapshotCollection, share.id)
  await addToTotals(transaction, share.user_id, { links: -1, bytes: -share.bytes })
}

/** Adds to the totals of a user; they never go below zero. Returns what they were. */
export async function addToTotals(
  transaction: Transaction,
  userId: string,
  change: { readonly links: number; readonly bytes: number },
): Promise<{ readonly links: number; readonly bytes: number }> {
  const known = await transaction.get(totalsCollection, userId)
  const before = { links: known?.links ?? 0, bytes: known?.snapshot_bytes ?? 0 }
  transaction.put(totalsCollection, {
    ...{ id: userId, user_id: userId, links: Math.max(0, before.links + change.links) },
    snapshot_bytes: Math.max(0, before.bytes + change.bytes),
  })
  return before
}

const batch = 50

/**
 * Deletes what has expired at `now`, of one user or of all, in small transactions. Safe beside
 * itself and beside everything else. Returns how many it deleted.
 */
export async function deleteExpired(
  database: Database,
  options: { readonly now: number; readonly userId?: string; readonly signal: AbortSignal },
): Promise<number> {
  const { userId, signal } = options
  // An index range excludes its end, and what expires now has expired.
  const to = new Date(options.now + 1).toISOString()
  const place = userId === undefined ? { index: 'by_expiry' } : { index: 'by_user_expiry', equals: [userId] }
  let deleted = 0
  for (;;) {
    signal.throwIfAborted()
    const page = await database.collection(shareCollection).query({ ...place, from: '', to, limit: batch })
    if (page.items.length === 0) return deleted
    deleted += await database.transaction(async (transaction) => {
      let count = 0
      for (const { id } of page.items) {
        const share = await transaction.get(shareCollection, id)
        if (!share) continue
        await deleteShare(transaction, share)
        count += 1
      }
      return count
    })
  }
}
