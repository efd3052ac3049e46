import { onAbort } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { LimitDefinition } from '@agent-service/sdk/services/quotas'

/** Those who wait for room. The holders take turns, so that one with many does not make the others wait for all of them. */
export interface WaitingRoom<Place> {
  /** Whether one more of a holder may wait. */
  mayWait(holder: string): boolean
  /** Whether a holder has somebody in line, behind whom the next one has to stand. */
  has(holder: string): boolean
  /**
   * Waits until `attempt` gives a place. @throws the refusal when it has waited as long as it may; the reason of the signal; what `attempt` throws.
   */
  wait(
    holder: string,
    attempt: () => Place | undefined,
    options: { readonly signal: AbortSignal; readonly refusal: () => Error },
  ): Promise<Place>
  /** Lets in whom there is room for: called when something was given back. With a holder: none but its own can have got room. */
  admit(holder?: string): void
  /** Sends everybody away. */
  close(): void
  size(): number
}

interface Waiting<Place> {
  readonly attempt: () => Place | undefined
  readonly refusal: () => Error
  settle(outcome: { readonly place: Place } | { readonly error: unknown }): void
}

/** Makes a waiting room; without bounds none may wait. */
export function createWaitingRoom<Place>(bounds: LimitDefinition['waiting'], clock: Clock): WaitingRoom<Place> {
  // In the order of their turns; a holder that was let in goes to the end.
  const queues = new Map<string, Set<Waiting<Place>>>()
  let waiting = 0
  let admitting = false
  let askedAgain = false

  const leave = (holder: string, entry: Waiting<Place>): void => {
    const queue = queues.get(holder)
    if (!queue?.delete(entry)) return
    waiting -= 1
    if (queue.size === 0) queues.delete(holder)
  }

  /** Lets the first of a holder in; its holder's next turn comes behind all others. False when there is no room. */
  const admitFirst = (holder: string): boolean => {
    const [first] = queues.get(holder) ?? []
    if (!first) return false
    try {
      const place = first.attempt()
      if (place === undefined) return false
      first.settle({ place })
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
        const entry: Waiting<Place> = {
          attempt,
          refusal,
          settle(outcome) {
            leave(holder, entry)
            void stopWaiting()
            forget()
            if ('place' in outcome) resolve(outcome.place)
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
      // What an attempt gives back is looked at behind it, never inside.
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
