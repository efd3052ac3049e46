import type { InferenceAttribution } from '@agent-service/sdk/services/inference'
import type { LimitDefinition, Quotas } from '@agent-service/sdk/services/quotas'
import type { CallEstimate } from '../common/call-estimate.js'
import { type EstimateDependencies, estimateCall, type PlannedCall } from './estimate-call.js'

/** Calls of models that are under way at once: of one user, and of all. Beyond it they wait, and users take turns. */
export const callsInFlight = (maxWaitMs: number): LimitDefinition => ({
  name: 'model-calls',
  counts: 'calls of models under way',
  maxPerHolder: 64,
  maxTotal: 512,
  waiting: { maxPerHolder: 1_000, maxTotal: 10_000, maxMs: maxWaitMs },
})

/** What holds users to their budgets. */
export interface Budgets {
  /** @throws `budget_exceeded` when nothing is left. */
  check(userId: string): Promise<void>
  /** Reserves what a call may use; the result gives it back. @throws `budget_exceeded`, the reason of the signal. */
  reserve(userId: string, estimate: () => Promise<CallEstimate>, options: { readonly signal: AbortSignal }): Promise<() => void>
}

/** Lets calls of models begin. */
export interface Admission {
  /** @throws `budget_exceeded` when nothing of the user's budget is left. */
  check(attribution: InferenceAttribution | undefined): Promise<void>
  /**
   * Reserves what the call may use of its user's budget, and waits for its turn. The result gives both back; call it once, when what the call used is accounted.
   * @throws `budget_exceeded`, `limit_reached`, `overloaded`, the reason of the signal.
   */
  enter(call: PlannedCall, attribution: InferenceAttribution | undefined, signal: AbortSignal): Promise<() => void>
}

/** Makes it. Calls on nobody's behalf share one holder. */
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
      const release = attribution
        ? await budgets.reserve(attribution.userId, () => estimateCall(call, dependencies, signal), { signal })
        : () => undefined
      try {
        const place = await calls.acquire(attribution ? `user:${attribution.userId}` : 'service', 1, { signal })
        return () => {
          place.release()
          release()
        }
      } catch (error) {
        release()
        throw error
      }
    },
  }
}
