import type { ServiceError } from '@agent-service/sdk'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { RetrySettings } from '../configuration/models-section.js'

/**
 * How long to wait before the next attempt, in milliseconds; `undefined` when the target has failed
 * for good: a retry does not help, the retries are used up, or the vendor asks for more than the
 * longest wait.
 *
 * The wait is `min(max, initial × multiplier^retry) × (0.8 to 1.0)`; a longer wait that the vendor
 * asks for wins.
 */
export function delayBeforeRetry(
  error: ServiceError,
  retry: RetrySettings,
  /** How many retries there were already. */
  retries: number,
  random: () => number,
): number | undefined {
  if (!providerError.isInstance(error) || error.details['retryable'] !== true || retries >= retry.max_retries) return undefined
  const retryAfterMs = error.details['retryAfterMs']
  const asked = typeof retryAfterMs === 'number' ? retryAfterMs : 0
  if (asked > retry.max_backoff_ms) return undefined
  const grown = Math.min(retry.max_backoff_ms, retry.initial_backoff_ms * retry.backoff_multiplier ** retries)
  return Math.max(asked, Math.round(grown * (0.8 + 0.2 * random())))
}
