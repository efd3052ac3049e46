import type { ServiceError } from '@agent-service/sdk'
import { searchRateLimitedError, searchUnavailableError } from '@agent-service/sdk/contracts/search-provider'
import type { Clock } from '@agent-service/sdk/services/clock'

const maxAttempts = 3
const firstPauseMs = 500
/** A provider that asks for more is not waited for: the model does better to go on. */
const maxPauseMs = 10_000

/** How a search is repeated. */
export interface RetryOptions {
  readonly signal: AbortSignal
  readonly clock: Pick<Clock, 'wait'>
  /** Called before each further attempt. */
  readonly onRetry: () => void
  /** From 0 to 1. Default `Math.random`. */
  readonly random?: () => number
}

/**
 * Tries up to three times where that can help: when the provider is not available or asks to wait, for as
 * long as it says, if that is 10 seconds at most. Fails with the last error.
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, clock, onRetry, random = Math.random } = options
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      signal.throwIfAborted()
      const pauseMs = pauseAfter(error, failures, random)
      if (pauseMs === undefined || failures >= maxAttempts) throw error
      await clock.wait(pauseMs, { signal })
      onRetry()
    }
  }
}

/** How long to wait before the next attempt, in milliseconds; undefined if none is worth it. */
function pauseAfter(error: unknown, failures: number, random: () => number): number | undefined {
  const usual = firstPauseMs * 2 ** (failures - 1) * (0.75 + random() / 2)
  if (searchUnavailableError.isInstance(error)) return usual
  if (!searchRateLimitedError.isInstance(error)) return undefined
  const pauseMs = Math.max(usual, statedWait(error) ?? 0)
  return pauseMs <= maxPauseMs ? pauseMs : undefined
}

const statedWait = ({ details }: ServiceError): number | undefined => {
  const stated = details['retryAfterMs']
  return typeof stated === 'number' && Number.isFinite(stated) ? stated : undefined
}
