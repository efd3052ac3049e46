import type { RetrySettings } from '../common/retry-settings.js'

/** The settings of one connection: its own, where it has them. */
export const retryOf = (section: RetrySettings, own: Partial<RetrySettings> | null): RetrySettings => ({ ...section, ...own })

/** Vendors' addresses are chosen by users: none is tried more often than once in so many milliseconds. */
export const minBackoffMs = 1_000

/**
 * How long to wait before the next attempt after so many failures in a row (from 1), in milliseconds:
 * anything from {@link minBackoffMs} to the full delay, so that many connections that were lost together do not come back
 * together. `undefined`: it has failed for good.
 */
export function backoffMs(
  { max_retries: maxRetries, initial_backoff_ms: initial, backoff_multiplier: multiplier, max_backoff_ms: max }: RetrySettings,
  failures: number,
  random: () => number = Math.random,
): number | undefined {
  if (failures > maxRetries) return undefined
  // Never 0 times infinity.
  const full = Math.min(max, Math.max(1, initial) * multiplier ** Math.min(failures - 1, 1_000))
  return Math.round(minBackoffMs + random() * Math.max(0, full - minBackoffMs))
}
