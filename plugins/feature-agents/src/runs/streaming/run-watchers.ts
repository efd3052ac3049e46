import type { Disposer } from '@agent-service/sdk'
import type { Events } from '@agent-service/sdk/services/events'
import type { CommittedRunEvents, CommittedTransition } from '../log/run-log.js'
import type { TransitionEvent } from '../log/transition.js'
import { createWatchQueue, type WatchedItem } from './watch-queue.js'

/** One listener to one run. */
export interface Watch {
  /**
   * The next item; waits for it. @throws the signal's reason, `listener_too_slow`. One call at a
   * time.
   */
  next(signal: AbortSignal): Promise<WatchedItem | 'ended'>
  /** Appends the end after all reported items. */
  end(): void
  /** Stops listening. */
  close(): void
}

/**
 * Reports to the watchers of a run in this process: deltas at once, transitions after their commit,
 * in order. Consecutive deltas are queued as one.
 */
export interface RunWatchers extends CommittedRunEvents {
  /** Listens from now on. */
  watch(runId: string): Watch
  /** Forbids retracting shown text of this chat's runs, until the result is called. */
  forbidRetractions(chatId: string): Disposer
  /** Whether retractions are forbidden now. */
  areRetractionsForbidden(chatId: string): boolean
  /** The events service, with every delta also reported to the watchers. */
  through(events: Events): Events
}

type Listeners = Map<string, Set<(item: WatchedItem) => void>>

export function createRunWatchers(): RunWatchers {
  const listeners: Listeners = new Map()
  const forGood = new Map<string, number>()
  return {
    watch: (runId) => listen(listeners, runId),
    report(run, committed) {
      const there = listeners.get(run.id)
      if (there) publish(there, { kind: 'commit', run, steps: committed.steps, notes: notesOf(committed) })
    },
    forbidRetractions(chatId) {
      forGood.set(chatId, (forGood.get(chatId) ?? 0) + 1)
      let given = true
      return () => {
        if (!given) return
        given = false
        const left = (forGood.get(chatId) ?? 1) - 1
        if (left === 0) forGood.delete(chatId)
        else forGood.set(chatId, left)
      }
    },
    areRetractionsForbidden: (chatId) => forGood.has(chatId),
    through: (events) => ({
      record: (transaction, event) => events.record(transaction, event),
      position: (userId) => events.position(userId),
      publishDelta(input) {
        const number = events.publishDelta(input)
        const there = listeners.get(String(input.data['run_id']))
        // The arguments of calls are stored whole, with the call.
        if (there && input.name !== 'tool_call.delta') publish(there, { kind: 'delta', event: { name: input.name, data: input.data } })
        return number
      },
    }),
  }
}

function listen(listeners: Listeners, runId: string): Watch {
  const { push, ...queue } = createWatchQueue()
  const there = listeners.get(runId) ?? new Set()
  listeners.set(runId, there.add(push))
  return {
    ...queue,
    close() {
      there.delete(push)
      if (there.size === 0 && listeners.get(runId) === there) listeners.delete(runId)
    },
  }
}

function publish(listeners: Iterable<(item: WatchedItem) => void>, item: WatchedItem): void {
  for (const push of listeners) push(item)
}

/**
 * Retracted text and the purposes of calls. Messages are read from the store, so that queued items
 * stay small.
 */
const notesOf = ({ events }: CommittedTransition): readonly TransitionEvent[] =>
  events.flatMap(({ name, data }): TransitionEvent[] => {
    if (name === 'tool_call.started') return [{ name, data: { call_id: data['call_id'] ?? '', purpose: data['purpose'] ?? '' } }]
    return name === 'run.retrying' || data['void'] !== undefined ? [{ name, data }] : []
  })
