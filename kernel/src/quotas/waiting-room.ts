import type { Clock } from '@agent-service/sdk/services/clock'
import type { LimitDefinition } from '@agent-service/sdk/services/quotas'

/** Those who wait for room. The holders take turns, so that one with many does not make the others wait for all of them. */
export interface WaitingRoom<Place> {
  /**
   * Waits until `attempt` gives a place. @throws `refusal` at once where too many wait, and when it has waited as long as it may; the reason of the signal.
   */
  wait(holder: string, attempt: () => Place | Error, options: { readonly signal: AbortSignal; readonly refusal: Error }): Promise<Place>
  /** Lets in whom there is room for: called when something was given back. */
  admit(): void
}

/** Makes a waiting room; without bounds nothing waits. */
export function createWaitingRoom<Place>(bounds: LimitDefinition['waiting'], clock: Clock): WaitingRoom<Place> {
  // In the order of their turns; a holder that was let in goes to the end.
  const queues = new Map<string, Set<() => boolean>>()
  let waiting = 0

  const leave = (holder: string, entry: () => boolean): void => {
    const queue = queues.get(holder)
    if (!queue?.delete(entry)) return
    waiting -= 1
    if (queue.size === 0) queues.delete(holder)
  }

  return {
    wait(holder, attempt, { signal, refusal }) {
      const queue = queues.get(holder) ?? new Set<() => boolean>()
      if (!bounds || waiting >= bounds.maxTotal || queue.size >= bounds.maxPerHolder) return Promise.reject(refusal)
      return new Promise((resolve, reject) => {
        const settle = (): void => {
          leave(holder, enter)
          void stopWaiting()
          signal.removeEventListener('abort', onAbort)
        }
        const enter = (): boolean => {
          const place = attempt()
          if (place instanceof Error) return false
          settle()
          resolve(place)
          return true
        }
        const onAbort = (): void => {
          settle()
          reject(signal.reason as Error)
        }
        const stopWaiting = clock.after(bounds.maxMs, () => {
          settle()
          reject(refusal)
        })
        queues.set(holder, queue.add(enter))
        waiting += 1
        signal.addEventListener('abort', onAbort, { once: true })
      })
    },
    admit() {
      for (const [holder, queue] of [...queues]) {
        const [first] = queue
        if (!first?.()) continue
        const left = queues.get(holder)
        if (!left) continue
        queues.delete(holder)
        queues.set(holder, left)
      }
    },
  }
}
