import { onAbort } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { LimitDefinition } from '@agent-service/sdk/services/quotas'

/**
 * Requests that wait for room. Holders take turns, so that one with many requests does not make the
 * others wait for all of them.
 */
export interface WaitingRoom<Grant> {
  /** Whether one more request of a holder may wait. */
  mayWait(holder: string): boolean
  /** Whether requests of a holder are waiting: the next one has to queue after them. */
  has(holder: string): boolean
  /**
   * Waits until `attempt` returns a grant. @throws the refusal when the time to wait is over; the
   * reason of the signal; errors of `attempt`
   */
  wait(
    holder: string,
    attempt: () => Grant | undefined,
    options: { readonly signal: AbortSignal; readonly refusal: () => Error },
  ): Promise<Grant>
  /**
   * Admits the requests that have room now; called after a release. With a holder, only that
   * holder's requests are tried.
   */
  admit(holder?: string): void
  /** Refuses all waiting requests. */
  close(): void
  size(): number
}

interface Waiting<Grant> {
  readonly attempt: () => Grant | undefined
  readonly refusal: () => Error
  settle(outcome: { readonly grant: Grant } | { readonly error: unknown }): void
}

/** Makes a waiting room; without bounds, no request may wait. */
export function createWaitingRoom<Grant>(bounds: LimitDefinition['waiting'], clock: Clock): WaitingRoom<Grant> {
  // In the order of the holders' turns; after an admission the holder moves to the end.
  const queues = new Map<string, Set<Waiting<Grant>>>()
  let waiting = 0
  let admitting = false
  let askedAgain = false

  const leave = (holder: string, entry: Waiting<Grant>): void => {
    const queue = queues.get(holder)
    if (!queue?.delete(entry)) return
    waiting -= 1
    if (queue.size === 0) queues.delete(holder)
  }

  /**
   * Admits the first request of a holder, whose next turn comes after all others. False if there is
   * no room.
   */
  const admitFirst = (holder: string): boolean => {
    const [first] = queues.get(holder) ?? []
    if (!first) return false
    try {
      const grant = first.attempt()
      if (grant === undefined) return false
      first.settle({ grant })
    } catch (error) {
      first.settle({ error })
    }
    const left = queues.get(holder)
    if (left && queues.delete(holder)) queues.set(holder, left)
    return true
  }

  return {
    mayWait: (holder) => bounds !== undefined && waiting < bounds.maxTotal && (queues.get(holder)?.size ?? 0) < bounds.maxPerHolder,
    has: (holder) => queues.has(holder),
    wait(holder, attempt, { signal, refusal }) {
      return new Promise((resolve, reject) => {
        const stopWaiting = clock.after(bounds?.maxMs ?? 0, () => entry.settle({ error: refusal() }))
        const entry: Waiting<Grant> = {
          attempt,
          refusal,
          settle(outcome) {
            leave(holder, entry)
            void stopWaiting()
            forget()
            if ('grant' in outcome) resolve(outcome.grant)
            else reject(outcome.error as Error)
          },
        }
        const queue = queues.get(holder) ?? new Set()
        queues.set(holder, queue.add(entry))
        waiting += 1
        const forget = onAbort(signal, (reason) => entry.settle({ error: reason }))
      })
    },
    admit(holder) {
      askedAgain = true
      // A release during an attempt is handled after it.
      if (admitting) return
      admitting = true
      try {
        while (askedAgain) {
          askedAgain = false
          for (const name of holder === undefined ? [...queues.keys()] : [holder]) if (admitFirst(name)) askedAgain = true
        }
      } finally {
        admitting = false
      }
    },
    close() {
      for (const queue of [...queues.values()]) for (const entry of [...queue]) entry.settle({ error: entry.refusal() })
    },
    size: () => waiting,
  }
}
