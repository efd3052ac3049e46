import type { Clock } from '@agent-service/sdk/services/clock'
import { budgetExceededError } from '@agent-service/sdk/services/inference'
import { type Hold, type Limit, limitReachedError, type Quotas } from '@agent-service/sdk/services/quotas'
import type { CallEstimate } from '../common/call-estimate.js'
import type { CallRecord } from '../common/call-record.js'
import { createReleaseNotifier } from '../common/release-notifier.js'
import { type Budget, periodAt } from './budget.js'
import type { BudgetUsage, BudgetUsages } from './budget-usage.js'
import { dollarsOf, nanoOf } from './price.js'

/** How long a call waits for reservations of the same user's other calls, in milliseconds. */
const maxWaitMs = 60_000

/** A user's usage in the current period of the budget. */
export interface BudgetState {
  readonly budget: Budget
  /** In billionths of a US dollar. */
  readonly spentNano: number
  readonly tokens: number
  /** When the period ends, RFC 3339. */
  readonly endsAt: string
}

/** Enforces the budgets of users. */
export interface BudgetGuard {
  /** @throws `budget_exceeded` when nothing of the user's budget is left. */
  check(userId: string): Promise<void>
  /**
   * Reserves what a call may use, before it is sent. The returned function releases the
   * reservation; call it after {@link BudgetGuard.spent}. Usage and reservations together never
   * exceed the budget. A call that wants more than is left takes all of it, if no other call of the
   * user is running. While others run, a call that does not fit waits for them, up to a minute.
   * Nothing is estimated for a user without a budget. Reservations live in this process and end
   * with it.
   * @throws `budget_exceeded`, the signal's reason.
   */
  reserve(userId: string, estimate: () => Promise<CallEstimate>, options: { readonly signal: AbortSignal }): Promise<() => void>
  /** The user's usage; `undefined` without a budget. */
  state(userId: string): Promise<BudgetState | undefined>
  /** Adds the usage of a call that has ended. */
  spent(userId: string, record: CallRecord, costNano: number): void
  /** Drops cached budgets, after a change. */
  forget(): void
}

/** The tokens left of a budget; infinite without a token limit. */
const tokensLeft = ({ budget, tokens }: BudgetUsage): number => (budget?.limit_tokens ?? Number.POSITIVE_INFINITY) - tokens

/** The money left of a budget, in billionths of a US dollar; infinite without a limit. */
const costLeft = ({ budget, spentNano }: BudgetUsage): number =>
  typeof budget?.limit_usd === 'number' ? nanoOf(budget.limit_usd) - spentNano : Number.POSITIVE_INFINITY

const holderPrefix = 'user:'

/** A guard without reservations. */
export function createBudgetGuard(dependencies: {
  readonly usages: BudgetUsages
  readonly quotas: Quotas
  readonly clock: Clock
}): BudgetGuard {
  const { usages, quotas, clock } = dependencies
  const leftOf = (measure: (usage: BudgetUsage) => number) => (holder: string) => {
    const usage = usages.known(holder.slice(holderPrefix.length))
    return usage ? Math.max(0, measure(usage)) : 0
  }
  const limits: BudgetLimits = {
    tokens: quotas.limit({ name: 'budget-tokens', counts: 'reserved tokens of a budget', maxPerHolder: leftOf(tokensLeft) }),
    cost: quotas.limit({ name: 'budget-cost', counts: 'reserved billionths of a dollar', maxPerHolder: leftOf(costLeft) }),
  }
  const releases = createReleaseNotifier(clock)
  const refuseExhausted = (usage: BudgetUsage): void => {
    const error = exceededBy(usage, { tokens: 0, cost: 0 }, clock)
    if (error) throw error
  }

  return {
    async state(userId) {
      const { budget, spentNano, tokens } = await usages.of(userId)
      return budget && { budget, spentNano, tokens, endsAt: periodAt(clock.now(), budget.period).endsAt }
    },
    check: async (userId) => refuseExhausted(await usages.of(userId)),
    async reserve(userId, estimate, { signal }) {
      const before = await usages.of(userId)
      if (!before.budget) return () => undefined
      refuseExhausted(before)
      const wanted = await estimate()
      const holder = `${holderPrefix}${userId}`
      const until = clock.monotonic() + maxWaitMs
      for (;;) {
        signal.throwIfAborted()
        const usage = await usages.of(userId)
        if (!usage.budget) return () => undefined
        refuseExhausted(usage)
        // Budgets changed while they were read.
        if (usages.known(userId) !== usage) continue
        const release = takeBoth(limits, holder, usage, wanted)
        if (release) {
          return () => {
            release()
            releases.notify(holder)
          }
        }
        const reserved = { tokens: limits.tokens.used(holder), cost: limits.cost.used(holder) }
        if (!(await releases.wait(holder, until - clock.monotonic(), signal)))
          throw (
            exceededBy(usage, reserved, clock) ?? limitReachedError.create({ limit: 'budget', counts: 'calls within the budget', max: 1 })
          )
      }
    },
    spent(userId, { usage }, costNano) {
      usages.add(userId, { tokens: (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0), costNano })
    },
    forget: () => usages.forget(),
  }
}

interface BudgetLimits {
  readonly tokens: Limit
  readonly cost: Limit
}

/**
 * Takes what a call wants from both limits, or all that is left; `undefined` if other calls hold
 * too much.
 */
function takeBoth(limits: BudgetLimits, holder: string, usage: BudgetUsage, wanted: CallEstimate): (() => void) | undefined {
  const holds: Hold[] = []
  const release = (): void => {
    for (const hold of holds) hold.release()
  }
  try {
    if (Number.isFinite(tokensLeft(usage))) holds.push(limits.tokens.take(holder, Math.min(wanted.tokens, tokensLeft(usage))))
    if (Number.isFinite(costLeft(usage))) holds.push(limits.cost.take(holder, Math.min(wanted.costNano, costLeft(usage))))
    return release
  } catch (error) {
    release()
    if (limitReachedError.isInstance(error)) return undefined
    throw error
  }
}

/**
 * The error of an exhausted budget, including its reservations; `undefined` while something is
 * left.
 */
function exceededBy(usage: BudgetUsage, reserved: { readonly tokens: number; readonly cost: number }, clock: Clock): Error | undefined {
  const { budget, spentNano, tokens } = usage
  if (!budget) return undefined
  const { period, limit_usd: dollars, limit_tokens: most } = budget
  const refuse = (limit: string, used: string, rest: string | undefined): Error => {
    const details = { period, limit, used: rest === undefined ? used : `${used} and ${rest} reserved by running calls,` }
    const retry = rest === undefined ? {} : { retryAfterSeconds: 5 }
    return budgetExceededError.create({ ...details, ends_at: periodAt(clock.now(), period).endsAt }, retry)
  }
  const inDollars = (nano: number): string => `$${dollarsOf(nano).toFixed(4)}`
  if (dollars !== null && (costLeft(usage) <= 0 || reserved.cost > 0))
    return refuse(`$${dollars}`, inDollars(spentNano), reserved.cost > 0 ? inDollars(reserved.cost) : undefined)
  if (most !== null && (tokensLeft(usage) <= 0 || reserved.tokens > 0))
    return refuse(`${most} tokens`, `${tokens} tokens`, reserved.tokens > 0 ? String(reserved.tokens) : undefined)
  return undefined
}
