import { abortable, withTimeLimit } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'

/**
 * Waits for work that has begun, at most `limitMs` and only until `signal` is aborted; then throws what `timedOut` makes, or the signal's reason. The
 * work itself is not stopped by this, and its later failure goes nowhere.
 */
export function withinLimit<Result>(
  options: { readonly clock: Clock; readonly limitMs: number; readonly signal: AbortSignal; readonly timedOut: () => Error },
  work: Promise<Result>,
): Promise<Result> {
  const { signal, ...limit } = options
  return abortable(
    withTimeLimit(() => work, limit),
    signal,
  )
}
