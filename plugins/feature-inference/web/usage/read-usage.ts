import { agentName } from '@agent-service/sdk/web'
import { api, type Schemas } from '../api/index.js'

export type Sum = Schemas['UsageSum']

export type Period = '7' | '30' | '90'
export const periods: readonly Period[] = ['7', '30', '90']

/** What one day cost, by the series of the chart. */
export interface Day {
  readonly day: string
  readonly values: readonly number[]
  readonly total: number
}

/** What the page shows. The chart has at most five series: four models, and all others together. */
export interface Usage {
  readonly days: readonly Day[]
  /** The names of the series; `undefined`: all others. */
  readonly series: readonly { readonly name: string | undefined; readonly total: number }[]
  readonly models: readonly Sum[]
  /** The sums of agents, or of users where those of all are read. */
  readonly owners: readonly { readonly id: string; readonly name: string | undefined; readonly sum: Sum }[]
  /** The sums by what the calls were for, if not all were answers. */
  readonly purposes: readonly Sum[]
  readonly cost: number
  readonly tokens: number
  readonly cachedShare: number
  readonly calls: number
  readonly failed: number
  readonly unpriced: number
  /** Undefined: the person has none. */
  readonly budget: Schemas['BudgetState'] | undefined
}

const maxModels = 4

type Grouping = 'day' | 'model' | 'agent' | 'purpose' | 'user'

/** Where sums come from, and whose they are. */
export interface UsageSource {
  /** One page of sums. */
  readonly sums: (query: Query, signal: AbortSignal) => Promise<Schemas['UsageSumPage']>
  readonly groupBy: 'agent' | 'user'
  /** The names of agents or users, by id. */
  readonly names: (signal: AbortSignal) => Promise<ReadonlyMap<string, string>>
  readonly budget: (signal: AbortSignal) => Promise<Schemas['BudgetState'] | undefined>
}

/** Reads the sums of a period that ends today; days are those of UTC, as the service counts them. */
export async function readUsage(period: Period, signal: AbortSignal, source: UsageSource = ownUsage): Promise<Usage> {
  const to = dayOf(Date.now())
  const from = dayOf(Date.now() - (Number(period) - 1) * 86_400_000)
  const read = (query: { readonly group_by: Grouping; readonly model?: string }) => allSums(source, { from, to, ...query }, signal)
  const [all, models, owners, purposes, names, budget] = await Promise.all([
    read({ group_by: 'day' }),
    read({ group_by: 'model' }),
    read({ group_by: source.groupBy }),
    read({ group_by: 'purpose' }),
    source.names(signal),
    source.budget(signal),
  ])
  const byCost = [...models].sort(byMost)
  const shown = [...new Set(byCost.map(({ model }) => model ?? ''))].slice(0, maxModels)
  const perModel = await Promise.all(shown.map((model) => read({ group_by: 'day', model })))
  const days = daysBetween(from, Number(period)).map((day) => dayFrom(day, all, perModel))
  const total = (pick: (sum: Sum) => number): number => all.reduce((sum, each) => sum + pick(each), 0)
  const input = total((sum) => sum.input_tokens)
  const rest = days.reduce((sum, { values }) => sum + (values[shown.length] ?? 0), 0)
  return {
    days: rest > 0 ? days : days.map((day) => ({ ...day, values: day.values.slice(0, shown.length) })),
    series: [
      ...shown.map((name, index) => ({ name, total: days.reduce((sum, { values }) => sum + (values[index] ?? 0), 0) })),
      ...(rest > 0 ? [{ name: undefined, total: rest }] : []),
    ],
    models: byCost,
    owners: [...owners]
      .sort(byMost)
      .map((sum) => ({ id: sum.user_id ?? sum.agent_id ?? '', sum }))
      .map(({ id, sum }) => ({ id, name: names.get(id), sum })),
    purposes: purposes.some(({ purpose }) => purpose != null) ? [...purposes].sort(byMost) : [],
    cost: total((sum) => sum.cost_usd),
    tokens: total(tokensOf),
    cachedShare: input === 0 ? 0 : total((sum) => sum.cached_input_tokens) / input,
    calls: total((sum) => sum.calls),
    failed: total((sum) => sum.failed_calls),
    unpriced: total((sum) => sum.unpriced_calls),
    budget,
  }
}

export const tokensOf = (sum: Sum): number => sum.input_tokens + sum.output_tokens

/** What cost most comes first. */
const byMost = (one: Sum, other: Sum): number => other.cost_usd - one.cost_usd || tokensOf(other) - tokensOf(one)

/** The cost of each shown model, then that of all others. */
function dayFrom(day: string, all: readonly Sum[], perModel: readonly (readonly Sum[])[]): Day {
  const costIn = (sums: readonly Sum[]): number => sums.find((sum) => sum.day === day)?.cost_usd ?? 0
  const total = costIn(all)
  const values = perModel.map(costIn)
  const rest = total - values.reduce((sum, value) => sum + value, 0)
  // Differences of sums of fractions are seldom exactly 0.
  return { day, values: [...values, rest > 1e-9 ? rest : 0], total }
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)

const daysBetween = (from: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => dayOf(Date.parse(from) + index * 86_400_000))

/** What is asked of a source. */
export type Query = {
  readonly from: string
  readonly to: string
  readonly group_by: Grouping
  readonly model?: string
  readonly limit?: number
  readonly cursor?: string
}

async function allSums(source: UsageSource, query: Query, signal: AbortSignal): Promise<readonly Sum[]> {
  const sums: Sum[] = []
  let cursor: string | null = null
  do {
    const page = await source.sums({ ...query, limit: 200, ...(cursor !== null && { cursor }) }, signal)
    sums.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return sums
}

const ownBudget = async (signal: AbortSignal): Promise<Schemas['BudgetState'] | undefined> =>
  (await api.get('/api/usage/budget', { signal })).budget ?? undefined

async function agentNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const { items } = await api.get('/api/agents', { query: { limit: 200 }, signal })
  return new Map(items.map(({ id, name }) => [id, agentName(name)]))
}

/** The sums of the person who is signed in. */
export const ownUsage: UsageSource = {
  sums: ({ group_by, ...query }, signal) =>
    api.get('/api/usage', { query: { ...query, ...(group_by !== 'user' && { group_by }) }, signal }),
  groupBy: 'agent',
  names: agentNames,
  budget: ownBudget,
}

/** The sums of all users, for administrators. */
export const usageOfAll: UsageSource = {
  sums: (query, signal) => api.get('/api/admin/usage', { query, signal }),
  groupBy: 'user',
  names: userNames,
  budget: async () => undefined,
}

/** The sums of one user, for administrators. */
export const usageOfUser = (userId: string): UsageSource => ({
  sums: (query, signal) => api.get('/api/admin/usage', { query: { ...query, user_id: userId }, signal }),
  groupBy: 'agent',
  names: async () => new Map(),
  budget: async () => undefined,
})

const maxPages = 10

/** The usernames of the first 2,000 accounts; others are shown by their id. */
async function userNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page += 1) {
    const found: Schemas['AdministeredUserPage'] = await api.get('/api/admin/users', {
      query: { limit: 200, ...(cursor !== null && { cursor }) },
      signal,
    })
    for (const { id, username } of found.items) names.set(id, username)
    cursor = found.next_cursor
    if (cursor === null) break
  }
  return names
}
