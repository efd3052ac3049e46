import { createCounts } from '../../common/counts.js'
import type { RunEntry } from './run-entry.js'

/** How many runs are allowed. */
export interface RunLimits {
  /** Running in this process; further runs wait, and users take turns. */
  readonly maxConcurrent: number
  /** Running for one user, so that no user keeps the others waiting. */
  readonly maxConcurrentPerUser: number
  /** Queued or running for one user. */
  readonly maxOpenPerUser: number
}

/**
 * The slots of the running runs in this process, and the runs that wait for one. A run that another
 * run waits for shares that run's slot.
 */
export interface RunSlots {
  hasRoom(userId: string): boolean
  /**
   * Gives a run a slot, even if there is no room. The result releases it, once, and starts the runs
   * that then have room.
   */
  occupy(entry: RunEntry): () => void
  /** Starts a run: now if there is room, or else in its turn. Returns whether it started now. */
  beginInTurn(entry: RunEntry): boolean
  /** Removes a waiting run. */
  withdraw(entry: RunEntry): void
}

export function createRunSlots(dependencies: {
  readonly limits: Pick<RunLimits, 'maxConcurrent' | 'maxConcurrentPerUser'>
  /** Called with a run whose turn it is; it occupies its slot. */
  readonly begin: (entry: RunEntry) => void
}): RunSlots {
  const { limits, begin } = dependencies
  const driven = createCounts()
  const waiting = new Set<RunEntry>()

  const hasRoom = (userId: string): boolean => driven.total() < limits.maxConcurrent && driven.of(userId) < limits.maxConcurrentPerUser

  /**
   * Among users with room, the one with the fewest runs comes first, so that a user with many runs
   * does not make the others wait for all of them.
   */
  const nextInTurn = (): RunEntry | undefined => {
    let next: RunEntry | undefined
    for (const entry of waiting) {
      if (!hasRoom(entry.userId)) continue
      if (driven.of(entry.userId) === 0) return entry
      if (!next || driven.of(entry.userId) < driven.of(next.userId)) next = entry
    }
    return next
  }

  const beginNext = (): void => {
    while (driven.total() < limits.maxConcurrent) {
      const next = nextInTurn()
      if (!next) return
      waiting.delete(next)
      begin(next)
    }
  }

  return {
    hasRoom,

    occupy(entry) {
      waiting.delete(entry)
      if (!entry.inParentsPlace) driven.add(entry.userId)
      let there = true
      return () => {
        if (!there) return
        there = false
        if (!entry.inParentsPlace) driven.remove(entry.userId)
        beginNext()
      }
    },

    beginInTurn(entry) {
      if (entry.inParentsPlace) {
        begin(entry)
        return true
      }
      waiting.add(entry)
      beginNext()
      return !waiting.has(entry)
    },

    withdraw: (entry) => void waiting.delete(entry),
  }
}
