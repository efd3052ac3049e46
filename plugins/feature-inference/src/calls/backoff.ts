import type { ServiceError } from '@agent-service/sdk'
import { type ProviderFailure, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { RetrySettings } from '../configuration/models-section.js'
import type { ConfiguredGroup } from '../targets/group-registry.js'
import { isSlow } from './expired-limit.js'

/** How often a call is repeated that took all of its time in vain. */
const maxSlowRetries = 1

/** Failures that the same call has again, whatever a vendor says about retrying. */
const lasting: ReadonlySet<unknown> = new Set<ProviderFailure>([
  ...(['authentication', 'bad_request', 'context_overflow', 'model_not_found', 'quota_exceeded'] as const),
])

/** Decides about the retries of one target, one failure after the other. */
export interface RetryPlan {
  /**
   * How long to wait before the next attempt, in milliseconds; `undefined` when the target has failed
   * for good: a retry does not help, the retries are used up, a second call took all of its time in vain, or the vendor asks for more than the
   * longest wait.
   *
   * The wait is `min(max, initial × multiplier^retry) × (0.8 to 1.0)`; a longer wait that the vendor
   * asks for wins.
   */
  delayAfter(error: ServiceError, retries: number): number | undefined
}

export function createRetryPlan(retry: RetrySettings, random: () => number): RetryPlan {
  let slow = 0
  return {
    delayAfter(error, retries) {
      if (!providerError.isInstance(error) || error.details['retryable'] !== true || retries >= retry.max_retries) return undefined
      if (lasting.has(error.details['failure'])) return undefined
      if (isSlow(error)) slow += 1
      if (slow > maxSlowRetries) return undefined
      const retryAfterMs = error.details['retryAfterMs']
      const asked = typeof retryAfterMs === 'number' ? retryAfterMs : 0
      if (asked > retry.max_backoff_ms) return undefined
      const grown = Math.min(retry.max_backoff_ms, retry.initial_backoff_ms * retry.backoff_multiplier ** retries)
      return Math.max(asked, Math.round(grown * (0.8 + 0.2 * random())))
    },
  }
}

/**
 * A failure after which the vendor asks for a longer wait than the group allows says so, with the setting: a retry would have helped, but later.
 * Any other failure stays as it is.
 */
export function namingWait(failure: ServiceError, { name, settings }: Pick<ConfiguredGroup, 'name' | 'settings'>): ServiceError {
  if (!providerError.isInstance(failure) || failure.details['retryable'] !== true || lasting.has(failure.details['failure'])) return failure
  const details = failure.details as Parameters<typeof providerError.create>[0]
  const { max_backoff_ms: longest } = settings.retry
  if (details.retryAfterMs === undefined || details.retryAfterMs <= longest) return failure
  const wait = Math.ceil(details.retryAfterMs / 1_000)
  const advice = `The vendor asks to wait ${wait} s, longer than models.${name}.retry.max_backoff_ms allows (${longest / 1_000} s).`
  return providerError.create({ ...details, reason: `${details.reason} ${advice}` }, { cause: failure, retryAfterSeconds: wait })
}
