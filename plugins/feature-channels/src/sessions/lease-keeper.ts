import { v7 as uuidv7 } from 'uuid'
import type { ChannelParts } from '../parts/channel-parts.js'
import { leaseCollection } from '../store/connection.js'

/** How long a lease lasts, and how often it is renewed, in milliseconds. */
const leaseMs = 60_000
export const renewMs = 20_000

/** Sees to it that a connection has one session in all processes of a deployment. */
export interface LeaseKeeper {
  /** Takes the lease, or makes it longer. False: another process has it. */
  take(connection: { readonly id: string; readonly user_id: string | null }): Promise<boolean>
  /** Gives it back, so that another process need not wait for its end. */
  release(connectionId: string): Promise<void>
}

/** Without a store that others share, a lease of an earlier process no longer counts. */
export function createLeaseKeeper({ database, clock }: Pick<ChannelParts, 'database' | 'clock'>): LeaseKeeper {
  if (!database.shared) return { take: async () => true, release: async () => undefined }
  const holder = uuidv7()
  return {
    take: ({ id, user_id }) =>
      database.transaction(async (transaction) => {
        const lease = await transaction.get(leaseCollection, id)
        if (lease && lease.holder !== holder && lease.until > clock.now()) return false
        transaction.put(leaseCollection, { id, user_id, holder, until: clock.now() + leaseMs })
        return true
      }),
    release: (id) =>
      database.transaction(async (transaction) => {
        if ((await transaction.get(leaseCollection, id))?.holder === holder) transaction.delete(leaseCollection, id)
      }),
  }
}
