import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { LRUCache } from 'lru-cache'
import { type Budget, budgetCollection, defaultBudgetId, periodAt } from './budget.js'
import { daySumCollection } from './usage-sum.js'

/** How long what was read of the store may be used, in milliseconds: other processes write there too. */
const freshMs = 60_000

/** A user's budget and what is used of it. Goes on counting while it is in use. */
export interface BudgetUsage {
  readonly budget: Budget | undefined
  /** In billionths of a US dollar. */
  readonly spentNano: number
  readonly tokens: number
}

/** What users have used of their budgets. */
export interface BudgetUsages {
  /** What a user has used in the period that goes on. */
  of(userId: string): Promise<BudgetUsage>
  /** The same without a look into the store; `undefined` where it was not read lately. */
  known(userId: string): BudgetUsage | undefined
  /** A call of the user's has ended. Counts at once. */
  add(userId: string, used: { readonly tokens: number; readonly costNano: number }): void
  /** Budgets have changed. */
  forget(): void
}

interface Known extends BudgetUsage {
  readonly firstDay: string
  readonly readAt: number
  spentNano: number
  tokens: number
}

/** What ended while the store is being read. */
interface Reading {
  readonly result: Promise<Known>
  spentNano: number
  tokens: number
}

/** Knows nothing yet. `settled` resolves once what has ended by now is stored: only then do the sums say everything. */
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
    // What ends from now on may be missing in the sums: rather counted twice until they are read again than not at all.
    Object.assign(meanwhile(), { spentNano: 0, tokens: 0 })
    const sum = await sumSince(database, userId, firstDay)
    const { spentNano, tokens } = meanwhile()
    return { budget, firstDay, readAt, spentNano: sum.spentNano + spentNano, tokens: sum.tokens + tokens }
  }

  /** One at a time for each user, however many ask. */
  const readOnce = async (userId: string): Promise<Known> => {
    const underWay = readings.get(userId)
    if (underWay) return await underWay.result
    const reading: Reading = { result: Promise.resolve().then(() => read(userId, () => reading)), spentNano: 0, tokens: 0 }
    readings.set(userId, reading)
    try {
      const fresh = await reading.result
      // Unless budgets have changed meanwhile.
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
