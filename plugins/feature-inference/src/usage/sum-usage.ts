import { defineError } from '@agent-service/sdk'
import type { Database } from '@agent-service/sdk/services/database'
import { addCounts, type DaySum, daySumCollection, type UsageCounts } from './usage-sum.js'

/** The key that sums are grouped by. */
export type Grouping = 'day' | 'model' | 'agent' | 'purpose' | 'user'

/** The sum of one group. Members that are not part of its key are absent. */
export type UsageGroup = UsageCounts & {
  readonly key: string
  readonly day?: string
  readonly provider?: string
  readonly model?: string
  readonly agent_id?: string | null
  readonly purpose?: string | null
  readonly user_id?: string
}

/** The sums to add up. Days are in UTC, both inclusive. */
export interface UsageRange {
  readonly from: string
  readonly to: string
  /** One user; absent for all. */
  readonly userId?: string
  readonly agentId?: string
  readonly model?: string
}

/** How many stored sums one request may read. */
const maxSums = 100_000

/** The requested range has too many sums. */
export const usageRangeTooLargeError = defineError<{ readonly limit: number }>({
  code: 'usage_range_too_large',
  status: 422,
  title: 'Range too large',
  message: ({ limit }) => `There are more than ${limit} sums in these days. Request fewer days, or one user.`,
})

/** Adds up usage, ordered by key. Reads page by page. */
export async function sumUsage(database: Database, range: UsageRange, grouping: Grouping): Promise<readonly UsageGroup[]> {
  const groups = new Map<string, UsageGroup>()
  let read = 0
  for await (const sum of sumsIn(database, range)) {
    read += 1
    if (read > maxSums) throw usageRangeTooLargeError.create({ limit: maxSums })
    if (range.agentId !== undefined && sum.agent_id !== range.agentId) continue
    if (range.model !== undefined && sum.model !== range.model) continue
    const name = nameOf(sum, grouping)
    const before = groups.get(name.key)
    groups.set(name.key, { ...name, ...(before ? addCounts(before, sum) : addCounts(sum, none)) })
  }
  return [...groups.values()].sort((one, other) => (one.key < other.key ? -1 : 1))
}

async function* sumsIn(database: Database, { from, to, userId }: UsageRange): AsyncIterable<DaySum> {
  const days = database.collection(daySumCollection)
  // The bound is exclusive, and no day follows its own name with a higher character.
  const range = userId === undefined ? { index: 'by_day' } : { index: 'by_user', equals: [userId] }
  let cursor: string | undefined
  do {
    const page = await days.query({ ...range, from, to: `${to}~`, limit: 200, ...(cursor !== undefined && { cursor }) })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

const none: UsageCounts = {
  calls: 0,
  failed_calls: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cost_nano_usd: 0,
  unpriced_calls: 0,
}

function nameOf(sum: DaySum, grouping: Grouping) {
  switch (grouping) {
    case 'day':
      return { key: sum.day, day: sum.day }
    case 'model':
      return { key: `${sum.provider} ${sum.model}`, provider: sum.provider, model: sum.model }
    case 'agent':
      return { key: sum.agent_id ?? '', agent_id: sum.agent_id }
    case 'purpose':
      return { key: sum.purpose ?? '', purpose: sum.purpose }
    case 'user':
      return { key: sum.user_id, user_id: sum.user_id }
  }
}
