import type { Clock } from '@agent-service/sdk/services/clock'

/** The shortest time between two deltas of one run, in milliseconds. */
export const deltaIntervalMs = 16

/** Something that grows and can be told in pieces. */
export interface DeltaSource {
  /** Publishes everything that is new as one event. */
  publish(): void
}

/** Gives the sources of one run their turns: the first at once, then one event in 16 ms, in the order in which they had something new. */
export interface DeltaThrottle {
  /** The source has something new. */
  mark(source: DeltaSource): void
  /** The source has nothing to say any more. */
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
