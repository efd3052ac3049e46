import type { InferenceAttribution } from '@agent-service/sdk/services/inference'
import type { LimitDefinition, Quotas } from '@agent-service/sdk/services/quotas'
import type { CallEstimate } from '../common/call-estimate.js'
import { type EstimateDependencies, estimateCall, type PlannedCall } from './estimate-call.js'

/** Concurrent model calls, per user and in total. Further calls wait, and users take turns. */
export const callsInFlight = (maxWaitMs: number): LimitDefinition => ({
  name: 'model-calls',
  counts: 'model calls in progress',
  maxPerHolder: 64,
  maxTotal: 512,
  waiting: { maxPerHolder: 1_000, maxTotal: 10_000, maxMs: maxWaitMs },
})

/** Enforces the budgets of users. */
export interface Budgets {
  /** @throws `budget_exceeded` when nothing is left. */
  check(userId: string): Promise<void>
  /**
   * Reserves what a call may use; the returned function releases it. @throws `budget_exceeded`, the
   * signal's reason.
   */
  reserve(userId: string, estimate: () => Promise<CallEstimate>, options: { readonly signal: AbortSignal }): Promise<() => void>
}

/** Decides when a model call may start. */
export interface Admission {
  /** @throws `budget_exceeded` when nothing of the user's budget is left. */
  check(attribution: InferenceAttribution | undefined): Promise<void>
  /**
   * Reserves what the call may use of its user's budget and waits for its turn. The returned
   * function releases both; call it once, when the usage of the call is recorded.
   * @throws `budget_exceeded`, `limit_reached`, `overloaded`, the signal's reason.
   */
  enter(call: PlannedCall, attribution: InferenceAttribution | undefined, signal: AbortSignal): Promise<() => void>
}

/** Calls without a user share one holder. */
export function createAdmission(
  dependencies: EstimateDependencies & { readonly budgets: Budgets; readonly quotas: Quotas; readonly maxWaitMs: number },
): Admission {
  const { budgets, quotas, maxWaitMs } = dependencies
  const calls = quotas.limit(callsInFlight(maxWaitMs))
  return {
    async check(attribution) {
      if (attribution) await budgets.check(attribution.userId)
    },
    async enter(call, attribution, signal) {
      const releaseBudget = attribution
        ? await budgets.reserve(attribution.userId, () => estimateCall(call, dependencies, signal), { signal })
        : () => undefined
      try {
        const hold = await calls.acquire(attribution ? `user:${attribution.userId}` : 'service', 1, { signal })
        return () => {
          hold.release()
          releaseBudget()
        }
      } catch (error) {
        releaseBudget()
        throw error
      }
    },
  }
}
