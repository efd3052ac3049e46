import { onAbort } from '@agent-service/sdk/async'

/** A signal that is aborted with the first of two. */
export interface JoinedSignal {
  readonly signal: AbortSignal
  /** Lets go of both. May be called more than once. */
  release(): void
}

/** Joins two signals for the time of one call. Leaves nothing behind on a signal that outlives the call, as a lease's does. */
export function joinSignals(...signals: readonly [AbortSignal, AbortSignal]): JoinedSignal {
  const controller = new AbortController()
  const forget = signals.map((signal) => onAbort(signal, (reason) => controller.abort(reason)))
  return {
    signal: controller.signal,
    release() {
      for (const each of forget) each()
    },
  }
}
