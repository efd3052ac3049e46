import { Type } from '@agent-service/sdk'
import {
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageOfIndex,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { budgetWithoutLimitError } from '../common/errors.js'
import { type Budget, budgetCollection, budgetInputSchema, budgetSchema, defaultBudgetId } from './budget.js'
import type { BudgetGuard } from './budget-guard.js'

const tags = ['usage']
const params = Type.Object({ user_id: Type.String({ minLength: 1, maxLength: 100, description: 'A user, or `default`.' }) })

/** `/api/admin/budgets`: how much users may spend on models. */
export function createBudgetRoutes(dependencies: {
  readonly database: Database
  readonly accounts: Accounts
  readonly clock: Clock
  readonly guard: BudgetGuard
  readonly audit: Pick<Audit, 'record'>
}): readonly HttpRoute[] {
  const { database, accounts, clock, guard, audit } = dependencies
  const budgets = database.collection(budgetCollection)
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/budgets',
      operationId: 'listBudgets',
      summary: 'List the budgets of users',
      tags,
      auth: 'admin',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page, by user.', schema: pageSchema(budgetSchema) } },
      async handle({ query }) {
        const { items, next_cursor } = await pageOfIndex(budgets, { index: 'by_user' }, query)
        return ok({ items: items.map(presentBudget), next_cursor })
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/budgets/{user_id}',
      operationId: 'setBudget',
      summary: 'Set the budget of a user, or the default budget',
      description: 'Takes effect with the next model call. Running calls are not interrupted.',
      tags,
      auth: 'admin',
      params,
      body: { kind: 'json', schema: budgetInputSchema },
      errors: [budgetWithoutLimitError],
      answers: { 200: { description: 'The budget.', schema: budgetSchema } },
      async handle({ params: { user_id: userId }, body }) {
        if (userId !== defaultBudgetId && !(await accounts.get(userId))) throw notFoundError.create({ what: 'user' })
        if (body.limit_usd === undefined && body.limit_tokens === undefined) throw budgetWithoutLimitError.create({})
        const budget: Budget = {
          id: userId,
          user_id: userId,
          period: body.period,
          limit_usd: body.limit_usd ?? null,
          limit_tokens: body.limit_tokens ?? null,
          updated_at: new Date(clock.now()).toISOString(),
        }
        await writeBudget(database, audit, userId, budget)
        guard.forget()
        return ok(presentBudget(budget))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/budgets/{user_id}',
      operationId: 'removeBudget',
      summary: 'Remove a budget',
      tags,
      auth: 'admin',
      params,
      answers: { 204: { description: 'Removed.' } },
      async handle({ params: { user_id: userId } }) {
        await writeBudget(database, audit, userId, undefined)
        guard.forget()
        return noContent()
      },
    }),
  ]
}

/**
 * Sets or removes a budget together with its audit event. @throws `not_found` if there is none to
 * remove.
 */
const writeBudget = (database: Database, audit: Pick<Audit, 'record'>, userId: string, budget: Budget | undefined): Promise<void> =>
  database.transaction(async (transaction) => {
    const present = await transaction.get(budgetCollection, userId)
    if (budget) transaction.put(budgetCollection, budget)
    else if (present) transaction.delete(budgetCollection, userId)
    else throw notFoundError.create({ what: 'budget' })
    audit.record(transaction, {
      ...{ kind: budget ? 'budget.set' : 'budget.removed', subject: userId },
      ...(present && { before: limitsOf(present) }),
      ...(budget && { after: limitsOf(budget) }),
    })
  })

const limitsOf = ({ period, limit_usd, limit_tokens }: Budget) => ({ period, limit_usd, limit_tokens })

const presentBudget = ({ id: _, ...budget }: Budget): Omit<Budget, 'id'> => budget
