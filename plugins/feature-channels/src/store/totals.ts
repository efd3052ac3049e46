import { defineCollection, type Transaction } from '@agent-service/sdk/services/database'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { maxConnectionsPerUser, maxSharedConnections } from '../common/limits.js'

/** How many connections a user has; the one of `shared` counts those of administrators. */
export interface ConnectionTotals {
  readonly id: string
  readonly user_id: string | null
  readonly connections: number
}

export const totalsCollection = defineCollection<ConnectionTotals>()({
  name: 'channels.totals',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/** Counts a connection that is made or deleted. @throws `quota_exceeded` for one too many. */
export async function countConnection(transaction: Transaction, userId: string | null, change: 1 | -1): Promise<void> {
  const id = userId ?? 'shared'
  const used = (await transaction.get(totalsCollection, id))?.connections ?? 0
  const max = userId === null ? maxSharedConnections : maxConnectionsPerUser
  if (change > 0 && used >= max) throw quotaExceededError.create({ counts: 'connections to channels', max, used })
  transaction.put(totalsCollection, { id, user_id: userId, connections: Math.max(0, used + change) })
}
