import { createCounts } from '../../common/counts.js'
import type { RunEntry } from './run-entry.js'

/** How many runs there may be. */
export interface RunLimits {
  /** Going on in this process; the others wait, and users take turns. */
  readonly maxConcurrent: number
  /** Going on for one user, so that nobody keeps the others waiting. */
  readonly maxConcurrentPerUser: number
  /** Queued or going on for one user. */
  readonly maxOpenPerUser: number
}

/** The places of the runs that go on in this process, and those that wait for one. A run that another run waits for goes on in that one's place. */
export interface RunSlots {
  hasRoom(userId: string): boolean
  /** Gives a run a place, also where there is no room. The result gives it back, once, and lets those begin that there is room for then. */
  occupy(entry: RunEntry): () => void
  /** Lets a run begin: now where there is room, else in its turn. Says whether it was now. */
  beginInTurn(entry: RunEntry): boolean
  /** The run does not wait any more. */
  withdraw(entry: RunEntry): void
}

export function createRunSlots(dependencies: {
  readonly limits: Pick<RunLimits, 'maxConcurrent' | 'maxConcurrentPerUser'>
  /** Called with a run that has its turn; it occupies its place. */
  readonly begin: (entry: RunEntry) => void
}): RunSlots {
  const { limits, begin } = dependencies
  const driven = createCounts()
  const waiting = new Set<RunEntry>()

  const hasRoom = (userId: string): boolean => driven.total() < limits.maxConcurrent && driven.of(userId) < limits.maxConcurrentPerUser

  /** Of those that have room the user with the fewest runs comes first, so that one with many does not make others wait for all of them. */
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
