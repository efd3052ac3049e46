import type { Clock } from '@agent-service/sdk/services/clock'

/** The shortest time between two deltas of one run, in milliseconds. */
export const deltaIntervalMs = 16

/** A growing value that is published in pieces. */
export interface DeltaSource {
  /** Publishes all new content as one event. */
  publish(): void
}

/**
 * Throttles the sources of one run: the first event is published at once, then one every 16 ms, in
 * the order in which the sources had new content.
 */
export interface DeltaThrottle {
  /** Marks a source that has new content. */
  mark(source: DeltaSource): void
  /** Removes a source without new content. */
  unmark(source: DeltaSource): void
  /** Forgets all sources and its timer. */
  close(): void
}

export function createDeltaThrottle(clock: Pick<Clock, 'monotonic' | 'after'>): DeltaThrottle {
  const marked = new Set<DeltaSource>()
  let last = Number.NEGATIVE_INFINITY
  let cancelTimer: (() => void | Promise<void>) | undefined

  const publishNext = (): void => {
    cancelTimer = undefined
    const [source] = marked
    if (!source) return
    marked.delete(source)
    last = clock.monotonic()
    source.publish()
    schedule()
  }
  const schedule = (): void => {
    if (cancelTimer || marked.size === 0) return
    const wait = last + deltaIntervalMs - clock.monotonic()
    if (wait <= 0) publishNext()
    else cancelTimer = clock.after(wait, publishNext)
  }

  return {
    mark(source) {
      marked.add(source)
      schedule()
    },
    unmark: (source) => void marked.delete(source),
    close() {
      marked.clear()
      void cancelTimer?.()
      cancelTimer = undefined
    },
  }
}
