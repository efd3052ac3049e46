import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { LRUCache } from 'lru-cache'
import { type Budget, budgetCollection, defaultBudgetId, periodAt } from './budget.js'
import { daySumCollection } from './usage-sum.js'

/** How long cached sums may be used, in milliseconds: other processes write to the store too. */
const freshMs = 60_000

/** A user's budget and its usage. Keeps counting while it is in use. */
export interface BudgetUsage {
  readonly budget: Budget | undefined
  /** In billionths of a US dollar. */
  readonly spentNano: number
  readonly tokens: number
}

/** The usage of budgets. */
export interface BudgetUsages {
  /** A user's usage in the current period. */
  of(userId: string): Promise<BudgetUsage>
  /** The cached usage; `undefined` if it was not read recently. */
  known(userId: string): BudgetUsage | undefined
  /** Adds the usage of a call that has ended. Counts at once. */
  add(userId: string, used: { readonly tokens: number; readonly costNano: number }): void
  /** Drops everything cached, after a change of budgets. */
  forget(): void
}

interface Known extends BudgetUsage {
  readonly firstDay: string
  readonly readAt: number
  spentNano: number
  tokens: number
}

/** A read of the store, with the usage of calls that end meanwhile. */
interface Reading {
  readonly result: Promise<Known>
  spentNano: number
  tokens: number
}

/**
 * Starts empty. `settled` resolves once all calls that have ended by now are stored and the sums
 * are complete.
 */
export function createBudgetUsages(dependencies: {
  readonly database: Database
  readonly clock: Clock
  settled(): Promise<void>
}): BudgetUsages {
  const { database, clock, settled } = dependencies
  const known = new LRUCache<string, Known>({ max: 10_000 })
  const readings = new Map<string, Reading>()

  const read = async (userId: string, meanwhile: () => Reading): Promise<Known> => {
    const budgets = database.collection(budgetCollection)
    const readAt = clock.now()
    const budget = (await budgets.get(userId)) ?? (await budgets.get(defaultBudgetId))
    const { firstDay } = periodAt(readAt, budget?.period ?? 'month')
    if (!budget) return { budget, firstDay, readAt, spentNano: 0, tokens: 0 }
    await settled()
    // Calls that end from now on may be missing in the sums. They may count twice until the next
    // read, but are never left out.
    Object.assign(meanwhile(), { spentNano: 0, tokens: 0 })
    const sum = await sumSince(database, userId, firstDay)
    const { spentNano, tokens } = meanwhile()
    return { budget, firstDay, readAt, spentNano: sum.spentNano + spentNano, tokens: sum.tokens + tokens }
  }

  /** Concurrent reads of one user share a result. */
  const readOnce = async (userId: string): Promise<Known> => {
    const underWay = readings.get(userId)
    if (underWay) return await underWay.result
    const reading: Reading = { result: Promise.resolve().then(() => read(userId, () => reading)), spentNano: 0, tokens: 0 }
    readings.set(userId, reading)
    try {
      const fresh = await reading.result
      // Not cached if budgets changed meanwhile.
      if (readings.get(userId) === reading) known.set(userId, fresh)
      return fresh
    } finally {
      if (readings.get(userId) === reading) readings.delete(userId)
    }
  }

  const isFresh = (entry: Known): boolean => {
    const now = clock.now()
    return now - entry.readAt < freshMs && entry.firstDay === periodAt(now, entry.budget?.period ?? 'month').firstDay
  }

  return {
    async of(userId) {
      const entry = known.get(userId)
      return entry && isFresh(entry) ? entry : await readOnce(userId)
    },
    known: (userId) => known.peek(userId),
    add(userId, { tokens, costNano }) {
      for (const counted of [known.get(userId), readings.get(userId)]) {
        if (!counted) continue
        counted.spentNano += costNano
        counted.tokens += tokens
      }
    },
    forget() {
      known.clear()
      readings.clear()
    },
  }
}

async function sumSince(
  database: Database,
  userId: string,
  firstDay: string,
): Promise<{ readonly spentNano: number; readonly tokens: number }> {
  const days = database.collection(daySumCollection)
  let spentNano = 0
  let tokens = 0
  let cursor: string | undefined
  do {
    const page = await days.query({
      index: 'by_user',
      equals: [userId],
      from: firstDay,
      limit: 200,
      ...(cursor !== undefined && { cursor }),
    })
    for (const sum of page.items) {
      spentNano += sum.cost_nano_usd
      tokens += sum.input_tokens + sum.output_tokens
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return { spentNano, tokens }
}
