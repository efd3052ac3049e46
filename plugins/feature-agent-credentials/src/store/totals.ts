import { defineCollection, type Transaction } from '@agent-service/sdk/services/database'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { maxCredentials, maxGrants, maxVaults } from '../common/limits.js'

/** What one user has. The id is the user's. */
export interface Totals {
  readonly id: string
  readonly user_id: string
  readonly credentials: number
  readonly vaults: number
  readonly grants: number
}

export const totalsCollection = defineCollection<Totals>()({
  name: 'agent_credentials.totals',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

const limits = {
  credentials: { max: maxCredentials, counts: 'credentials' },
  vaults: { max: maxVaults, counts: 'connections to vaults' },
  grants: { max: maxGrants, counts: 'grants to agents' },
} as const

/** Counts something that is made or deleted. @throws `quota_exceeded` for one too many. */
export async function count(transaction: Transaction, userId: string, what: keyof typeof limits, change: 1 | -1): Promise<void> {
  const before = (await transaction.get(totalsCollection, userId)) ?? noTotals(userId)
  const { max, counts } = limits[what]
  if (change > 0 && before[what] >= max) throw quotaExceededError.create({ counts, max, used: before[what] })
  transaction.put(totalsCollection, { ...before, [what]: Math.max(0, before[what] + change) })
}

/** Makes totals for a user who has none. */
export async function ensureTotals(transaction: Transaction, userId: string): Promise<void> {
  if ((await transaction.get(totalsCollection, userId)) === undefined) transaction.put(totalsCollection, noTotals(userId))
}

const noTotals = (userId: string): Totals => ({ id: userId, user_id: userId, credentials: 0, vaults: 0, grants: 0 })
