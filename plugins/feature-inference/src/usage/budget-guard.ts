import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { budgetExceededError } from '@agent-service/sdk/services/inference'
import { LRUCache } from 'lru-cache'
import type { CallRecord } from '../common/call-record.js'
import { type Budget, budgetCollection, defaultBudgetId, periodAt } from './budget.js'
import { dollarsOf } from './price.js'
import { daySumCollection } from './usage-sum.js'

/** How long what was read of the store may be used, in milliseconds: other processes write there too. */
const freshMs = 60_000

/** What a user has used in the period of the budget. */
export interface BudgetState {
  readonly budget: Budget
  /** In billionths of a US dollar. */
  readonly spentNano: number
  readonly tokens: number
  /** When the period ends, RFC 3339. */
  readonly endsAt: string
}

/** Holds users to their budgets. */
export interface BudgetGuard {
  /** @throws `budget_exceeded` when nothing of the user's budget is left. Calls that are under way are let end, so a budget may be exceeded by them. */
  check(userId: string): Promise<void>
  /** What the user has used, where there is a budget. */
  state(userId: string): Promise<BudgetState | undefined>
  /** A call of the user's has ended. */
  spent(userId: string, record: CallRecord, costNano: number): void
  /** Budgets have changed. */
  forget(): void
}

interface Known {
  readonly budget: Budget | undefined
  readonly firstDay: string
  readonly readAt: number
  spentNano: number
  tokens: number
}

/** Makes a guard that knows nothing yet. `settled` resolves once what has ended by now is stored: only then do the sums say everything. */
export function createBudgetGuard(dependencies: {
  readonly database: Database
  readonly clock: Clock
  settled(): Promise<void>
}): BudgetGuard {
  const { database, clock, settled } = dependencies
  const known = new LRUCache<string, Known>({ max: 10_000 })
  const budgets = database.collection(budgetCollection)
  const days = database.collection(daySumCollection)

  const read = async (userId: string): Promise<Known> => {
    const now = clock.now()
    const budget = (await budgets.get(userId)) ?? (await budgets.get(defaultBudgetId))
    const { firstDay } = periodAt(now, budget?.period ?? 'month')
    const fresh: Known = { budget, firstDay, readAt: now, spentNano: 0, tokens: 0 }
    if (budget) await settled()
    let cursor: string | undefined
    do {
      if (!budget) break
      const page = await days.query({
        index: 'by_user',
        equals: [userId],
        from: firstDay,
        limit: 200,
        ...(cursor !== undefined && { cursor }),
      })
      for (const sum of page.items) {
        fresh.spentNano += sum.cost_nano_usd
        fresh.tokens += sum.input_tokens + sum.output_tokens
      }
      cursor = page.nextCursor
    } while (cursor !== undefined)
    known.set(userId, fresh)
    return fresh
  }
  const current = async (userId: string): Promise<Known> => {
    const entry = known.get(userId)
    const now = clock.now()
    const isFresh = entry && now - entry.readAt < freshMs && entry.firstDay === periodAt(now, entry.budget?.period ?? 'month').firstDay
    return isFresh ? entry : await read(userId)
  }
  const stateOf = ({ budget, spentNano, tokens }: Known): BudgetState | undefined =>
    budget && { budget, spentNano, tokens, endsAt: periodAt(clock.now(), budget.period).endsAt }

  return {
    state: async (userId) => stateOf(await current(userId)),
    async check(userId) {
      const state = stateOf(await current(userId))
      if (!state) return
      const { budget, spentNano, tokens, endsAt } = state
      const period = budget.period
      if (budget.limit_usd !== null && dollarsOf(spentNano) >= budget.limit_usd)
        throw budgetExceededError.create({
          period,
          limit: `$${budget.limit_usd}`,
          used: `$${dollarsOf(spentNano).toFixed(4)}`,
          ends_at: endsAt,
        })
      if (budget.limit_tokens !== null && tokens >= budget.limit_tokens)
        throw budgetExceededError.create({ period, limit: `${budget.limit_tokens} tokens`, used: `${tokens} tokens`, ends_at: endsAt })
    },
    spent(userId, { usage }, costNano) {
      const entry = known.get(userId)
      if (!entry) return
      entry.spentNano += costNano
      entry.tokens += (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0)
    },
    forget: () => known.clear(),
  }
}
