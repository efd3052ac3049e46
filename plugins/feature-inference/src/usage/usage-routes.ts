import { calendarDate, namedObject, periodProblems, type Static, Type } from '@agent-service/sdk'
import {
  actorKinds,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  notFoundError,
  ok,
  pageOfIndex,
  pageOfList,
  pageQuerySchema,
  pageSchema,
  type RouteRequest,
} from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { BudgetGuard } from './budget-guard.js'
import { dollarsOf } from './price.js'
import { callCollection, callSchema, type StoredCall } from './stored-call.js'
import { type Grouping, sumUsage, type UsageGroup, usageRangeTooLargeError } from './sum-usage.js'
import { chatSumCollection, type UsageCounts } from './usage-sum.js'

const tags = ['usage']
const textOrNull = Type.Union([Type.String(), Type.Null()])
/** The longest period of one request, in days: what it costs goes with the days. */
const maxDays = 366
const id = Type.String({ minLength: 1, maxLength: 200 })
const counts = {
  calls: Type.Integer(),
  failed_calls: Type.Integer({ description: 'Failed, cancelled or lost.' }),
  input_tokens: Type.Integer(),
  cached_input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  reasoning_tokens: Type.Integer(),
  cost_usd: Type.Number(),
  unpriced_calls: Type.Integer({ description: 'Calls that used tokens but have no known price. Their cost is missing in the sum.' }),
}
const groupSchema = namedObject('UsageSum', {
  day: Type.Optional(Type.String()),
  provider: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
  agent_id: Type.Optional(textOrNull),
  purpose: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'What the calls were for, if not answers: `title` for titles of chats, `memory` for what is remembered.',
    }),
  ),
  user_id: Type.Optional(Type.String()),
  ...counts,
})
const chatSumSchema = namedObject('ChatUsageSum', { provider: Type.String(), model: Type.String(), ...counts })
const filters = {
  from: Type.Optional(
    calendarDate({
      description: `First day, in UTC. Default: 29 days before the last one. Both included, a period has at most ${maxDays} days.`,
    }),
  ),
  to: Type.Optional(calendarDate({ description: 'Last day, in UTC. Default: today.' })),
  agent_id: Type.Optional(id),
  model: Type.Optional(id),
}
const groupings = (names: readonly Grouping[]) =>
  Type.Optional(
    Type.Union(
      names.map((name) => Type.Literal(name)),
      { description: 'How the sums are grouped. Default: day.' },
    ),
  )
const ownQuery = Type.Object({ ...pageQuerySchema.properties, ...filters, group_by: groupings(['day', 'model', 'agent', 'purpose']) })
const adminQuery = Type.Object({
  ...pageQuerySchema.properties,
  ...filters,
  user_id: Type.Optional(id),
  group_by: groupings(['day', 'model', 'agent', 'purpose', 'user']),
})
const budgetStateSchema = namedObject('BudgetState', {
  period: Type.Union([Type.Literal('day'), Type.Literal('month')]),
  limit_usd: Type.Union([Type.Number(), Type.Null()]),
  limit_tokens: Type.Union([Type.Integer(), Type.Null()]),
  used_usd: Type.Number(),
  used_tokens: Type.Integer(),
  ends_at: Type.String(),
})

/** `/api/usage` and `/api/admin/usage`: usage and cost of model calls. */
export function createUsageRoutes(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly budgets: BudgetGuard
  /** Resolves once all calls that have ended by now are stored. */
  settled(): Promise<void>
}): readonly HttpRoute[] {
  const { database, clock, budgets, settled } = dependencies

  const summed = async (query: Static<typeof adminQuery>, userId: string | undefined) => {
    const to = query.to ?? new Date(clock.now()).toISOString().slice(0, 10)
    const from = query.from ?? new Date(Date.parse(to) - 29 * 86_400_000).toISOString().slice(0, 10)
    const problems = periodProblems({ from, to }, { maxDays })
    if (problems.length > 0) throw invalidRequestError.create({ where: 'query' }, { problems })
    const range = {
      from,
      to,
      ...(userId !== undefined && { userId }),
      ...(query.agent_id !== undefined && { agentId: query.agent_id }),
      ...(query.model !== undefined && { model: query.model }),
    }
    await settled()
    const page = pageOfList(await sumUsage(database, range, (query.group_by ?? 'day') as Grouping), ({ key }) => key, query)
    return ok({ items: page.items.map(presentGroup), next_cursor: page.next_cursor })
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/usage',
      operationId: 'getUsage',
      summary: "Get usage and cost of the caller's model calls",
      tags,
      auth: 'user',
      query: ownQuery,
      errors: [usageRangeTooLargeError],
      answers: { 200: { description: 'One page of sums.', schema: pageSchema(groupSchema) } },
      handle: async (request) => await summed(request.query, callerOf(request)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/usage',
      operationId: 'getUsageOfAll',
      summary: 'Get usage and cost of model calls, of all users or of one',
      tags,
      auth: 'admin',
      query: adminQuery,
      errors: [usageRangeTooLargeError],
      answers: { 200: { description: 'One page of sums.', schema: pageSchema(groupSchema) } },
      handle: async ({ query }) => await summed(query, query.user_id),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/usage/calls',
      operationId: 'listModelCalls',
      summary: "List the caller's model calls, newest first",
      description: 'Single calls are kept for 90 days. `chat_id` lists those of one chat.',
      tags,
      auth: 'user',
      query: Type.Object({ ...pageQuerySchema.properties, chat_id: Type.Optional(id) }),
      answers: { 200: { description: 'One page.', schema: pageSchema(callSchema) } },
      async handle(request) {
        await settled()
        const userId = callerOf(request)
        const { chat_id } = request.query
        const place = chat_id === undefined ? { index: 'by_user', equals: [userId] } : { index: 'by_chat', equals: [chat_id] }
        const { items, next_cursor } = await pageOfIndex(
          database.collection(callCollection),
          { ...place, order: 'descending' } as const,
          request.query,
        )
        // A chat of another person has none.
        const own = items.filter(({ user_id }) => user_id === userId)
        return ok({ items: own.map(presentCall), next_cursor: own.length < items.length ? null : next_cursor })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/usage/chats/{chat_id}',
      operationId: 'getUsageOfChat',
      summary: 'Get usage and cost of a chat, by model',
      tags,
      auth: 'user',
      params: Type.Object({ chat_id: id }),
      answers: {
        200: {
          description: 'The sums. 404 if no model was called in the chat.',
          schema: namedObject('ChatUsage', { models: Type.Array(chatSumSchema) }),
        },
      },
      async handle(request) {
        await settled()
        const page = await database
          .collection(chatSumCollection)
          .query({ index: 'by_user', equals: [callerOf(request), request.params.chat_id], limit: 200 })
        if (page.items.length === 0) throw notFoundError.create({ what: 'chat' })
        return ok({ models: page.items.map(({ provider, model, ...sum }) => ({ provider, model, ...presentCounts(sum) })) })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/usage/budget',
      operationId: 'getOwnBudget',
      summary: "Get the caller's budget and its usage",
      tags,
      auth: 'user',
      actors: actorKinds,
      answers: {
        200: {
          description: 'The budget, or null.',
          schema: namedObject('OwnBudget', { budget: Type.Union([budgetStateSchema, Type.Null()]) }),
        },
      },
      async handle(request) {
        const state = await budgets.state(callerOf(request))
        if (!state) return ok({ budget: null })
        const { budget, spentNano, tokens, endsAt } = state
        return ok({
          budget: {
            period: budget.period,
            limit_usd: budget.limit_usd,
            limit_tokens: budget.limit_tokens,
            used_usd: dollarsOf(spentNano),
            used_tokens: tokens,
            ends_at: endsAt,
          },
        })
      },
    }),
  ]
}

/** The kernel never calls such a route without a principal. */
function callerOf({ principal }: Pick<RouteRequest, 'principal'>): string {
  if (!principal) throw new Error('A route that requires a user was called without a principal.')
  return principal.userId
}

const presentCounts = (sum: UsageCounts) => ({
  calls: sum.calls,
  failed_calls: sum.failed_calls,
  input_tokens: sum.input_tokens,
  cached_input_tokens: sum.cached_input_tokens,
  output_tokens: sum.output_tokens,
  reasoning_tokens: sum.reasoning_tokens,
  cost_usd: dollarsOf(sum.cost_nano_usd),
  unpriced_calls: sum.unpriced_calls,
})

const presentGroup = ({ key: _, day: onDay, provider, model, agent_id: agentId, purpose, user_id: userId, ...sum }: UsageGroup) => ({
  ...(onDay !== undefined && { day: onDay }),
  ...(provider !== undefined && { provider }),
  ...(model !== undefined && { model }),
  ...(agentId !== undefined && { agent_id: agentId }),
  ...(purpose !== undefined && { purpose }),
  ...(userId !== undefined && { user_id: userId }),
  ...presentCounts(sum),
})

function presentCall({ user_id: _, cost_nano_usd: cost, ...call }: StoredCall): Static<typeof callSchema> {
  return { ...call, cost_usd: cost === null ? null : dollarsOf(cost) }
}
