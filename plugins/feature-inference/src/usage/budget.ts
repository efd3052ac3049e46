import { namedObject, type Static, Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

/** The input of an administrator. At least one of the two limits is required. */
export const budgetInputSchema = namedObject('SetBudget', {
  period: Type.Union([Type.Literal('day'), Type.Literal('month')], { description: 'In UTC.' }),
  limit_usd: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Maximum cost in the period, in US dollars.' })),
  limit_tokens: Type.Optional(Type.Integer({ minimum: 0, description: 'Maximum tokens in the period, input and output.' })),
})

/** A budget in responses. */
export const budgetSchema = namedObject('Budget', {
  user_id: Type.String({ description: '`default` is the budget of users without their own.' }),
  period: budgetInputSchema.properties.period,
  limit_usd: Type.Union([Type.Number(), Type.Null()]),
  limit_tokens: Type.Union([Type.Integer(), Type.Null()]),
  updated_at: Type.String(),
})

/** The id of the budget of users without their own. */
export const defaultBudgetId = 'default'

/** A stored budget; the id is that of its user, or {@link defaultBudgetId}. */
export type Budget = Static<typeof budgetSchema> & { readonly id: string }

export const budgetCollection = defineCollection<Budget>()({
  name: 'inference.budgets',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id'] } },
})

/** When a period began, and when the next one begins. */
export function periodAt(now: number, period: Budget['period']): { readonly firstDay: string; readonly endsAt: string } {
  const date = new Date(now)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const first = period === 'day' ? Date.UTC(year, month, day) : Date.UTC(year, month, 1)
  const next = period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1)
  return { firstDay: new Date(first).toISOString().slice(0, 10), endsAt: new Date(next).toISOString() }
}
