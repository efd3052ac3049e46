import { onAbort } from '@agent-service/sdk/async'

/** A signal that aborts with the first of two. */
export interface JoinedSignal {
  readonly signal: AbortSignal
  /** Stops listening to both. May be called more than once. */
  release(): void
}

/**
 * Joins two signals for one call. Leaves no listener on a signal that outlives the call, such as a
 * lease's.
 */
export function joinSignals(...signals: readonly [AbortSignal, AbortSignal]): JoinedSignal {
  const controller = new AbortController()
  const unsubscribers = signals.map((signal) => onAbort(signal, (reason) => controller.abort(reason)))
  return {
    signal: controller.signal,
    release() {
      for (const unsubscribe of unsubscribers) unsubscribe()
    },
  }
}
