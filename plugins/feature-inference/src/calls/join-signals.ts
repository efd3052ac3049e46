/** A signal that is aborted with the first of two. */
export interface JoinedSignal {
  readonly signal: AbortSignal
  /** Lets go of both. May be called more than once. */
  release(): void
}

/** Joins two signals for the time of one call. Leaves nothing behind on a signal that outlives the call, as a lease's does. */
export function joinSignals(first: AbortSignal, second: AbortSignal): JoinedSignal {
  const controller = new AbortController()
  const onFirst = (): void => controller.abort(first.reason)
  const onSecond = (): void => controller.abort(second.reason)
  if (first.aborted) onFirst()
  else if (second.aborted) onSecond()
  first.addEventListener('abort', onFirst, { once: true })
  second.addEventListener('abort', onSecond, { once: true })
  return {
    signal: controller.signal,
    release() {
      first.removeEventListener('abort', onFirst)
      second.removeEventListener('abort', onSecond)
    },
  }
}
