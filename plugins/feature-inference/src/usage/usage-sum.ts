import { createHash } from 'node:crypto'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { StoredCall } from './stored-call.js'

/** The counts of a sum: calls, tokens, and cost in billionths of a US dollar. */
export type UsageCounts = {
  readonly calls: number
  /** Calls that failed, were cancelled or were lost. */
  readonly failed_calls: number
  readonly input_tokens: number
  readonly cached_input_tokens: number
  readonly output_tokens: number
  readonly reasoning_tokens: number
  readonly cost_nano_usd: number
  /** Calls that used tokens but have no known price. */
  readonly unpriced_calls: number
}

/** The usage of one user, model, day and purpose, through one agent or none. */
export type DaySum = UsageCounts & {
  readonly id: string
  readonly user_id: string
  /** In UTC: `2026-01-31`. */
  readonly day: string
  readonly agent_id: string | null
  readonly provider: string
  readonly model: string
  /** What the calls were for, if not answers. */
  readonly purpose: string | null
}

/** The usage of one chat and model. */
export type ChatSum = UsageCounts & {
  readonly id: string
  readonly user_id: string
  readonly chat_id: string
  readonly provider: string
  readonly model: string
}

export const daySumCollection = defineCollection<DaySum>()({
  name: 'inference.usage_days',
  version: 2,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'day'] }, by_day: { fields: ['day'] } },
  migrations: [
    { to: 2, description: 'Sums of a day are apart by what the calls were for.', migrate: (sum) => ({ ...sum, purpose: null }) },
  ],
})

export const chatSumCollection = defineCollection<ChatSum>()({
  name: 'inference.usage_chats',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'chat_id'] } },
})

const nothing: UsageCounts = {
  calls: 0,
  failed_calls: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cost_nano_usd: 0,
  unpriced_calls: 0,
}

/** The sum of both. */
export const addCounts = (one: UsageCounts, other: UsageCounts): UsageCounts => ({
  calls: one.calls + other.calls,
  failed_calls: one.failed_calls + other.failed_calls,
  input_tokens: one.input_tokens + other.input_tokens,
  cached_input_tokens: one.cached_input_tokens + other.cached_input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  reasoning_tokens: one.reasoning_tokens + other.reasoning_tokens,
  cost_nano_usd: one.cost_nano_usd + other.cost_nano_usd,
  unpriced_calls: one.unpriced_calls + other.unpriced_calls,
})

/** The counts of one call. */
export const countsOf = (call: StoredCall): UsageCounts => ({
  calls: 1,
  failed_calls: call.outcome === 'completed' ? 0 : 1,
  input_tokens: call.input_tokens,
  cached_input_tokens: call.cached_input_tokens,
  output_tokens: call.output_tokens,
  reasoning_tokens: call.reasoning_tokens,
  cost_nano_usd: call.cost_nano_usd ?? 0,
  unpriced_calls: call.cost_nano_usd === null && call.input_tokens + call.output_tokens > 0 ? 1 : 0,
})

/** The empty sum of the day of a call. */
export const emptyDaySum = ({ user_id, started_at, agent_id, provider, model, purpose }: StoredCall): DaySum => {
  const day = started_at.slice(0, 10)
  // Those of answers go on with the ids from before purposes were told apart.
  const id = idOf([user_id, day, agent_id, provider, model, ...(purpose === null ? [] : [purpose])])
  return { id, user_id, day, agent_id, provider, model, purpose, ...nothing }
}

/** The empty sum of the chat of a call. */
export const emptyChatSum = ({ user_id, provider, model }: StoredCall, chatId: string): ChatSum => ({
  id: idOf([chatId, provider, model]),
  user_id,
  chat_id: chatId,
  provider,
  model,
  ...nothing,
})

/** Hashed, because names of models may be longer than an id. */
const idOf = (key: readonly (string | null)[]): string => createHash('sha256').update(JSON.stringify(key)).digest('base64url')
