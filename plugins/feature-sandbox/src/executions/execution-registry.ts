import type { Clock } from '@agent-service/sdk/services/clock'
import type { Execution } from './execution.js'

/** How long the output and the exit of an ended process can be read. */
const keptMs = 3_600_000
/** How many ended processes are kept, of a user and of all. */
const maxEndedOfUser = 50
const maxEnded = 500
/** How much output of ended processes is kept, of all. */
const maxEndedBytes = 33_554_432

/** The processes that run, and those that ended lately. */
export interface ExecutionRegistry {
  add(execution: Execution): void
  /** Of one user, or of all; the newest first. */
  list(filter?: { readonly userId?: string; readonly principalId?: string }): readonly Execution[]
  running(): readonly Execution[]
  find(id: string): Execution | undefined
  /** Drops what has ended, of one user. */
  forget(userId: string): void
}

export function createExecutionRegistry(clock: Pick<Clock, 'now'>): ExecutionRegistry {
  const all = new Map<string, Execution>()
  /** In the order in which they ended. */
  const ended = new Map<string, { readonly userId: string; readonly at: number; readonly bytes: number }>()

  const drop = (id: string): void => {
    ended.delete(id)
    all.delete(id)
  }
  const dropOld = (): void => {
    const oldest = clock.now() - keptMs
    const perUser = new Map<string, number>()
    let bytes = 0
    let count = 0
    // The newest are kept.
    for (const [id, entry] of [...ended].reverse()) {
      const ofUser = (perUser.get(entry.userId) ?? 0) + 1
      perUser.set(entry.userId, ofUser)
      bytes += entry.bytes
      count += 1
      if (entry.at < oldest || ofUser > maxEndedOfUser || count > maxEnded || bytes > maxEndedBytes) drop(id)
    }
  }
  return {
    add(execution) {
      all.set(execution.id, execution)
      const { userId } = execution.view().principal
      void execution.exited.then(() => {
        if (all.get(execution.id) !== execution) return
        ended.set(execution.id, { userId, at: clock.now(), bytes: execution.keptBytes() })
        dropOld()
      })
    },
    list({ userId, principalId } = {}) {
      dropOld()
      const fits = (execution: Execution): boolean => {
        const { principal } = execution.view()
        return (userId ?? principal.userId) === principal.userId && (principalId ?? principal.id) === principal.id
      }
      return [...all.values()].filter(fits).reverse()
    },
    running: () => [...all.values()].filter(({ id }) => !ended.has(id)),
    find(id) {
      dropOld()
      return all.get(id)
    },
    forget(userId) {
      for (const [id, entry] of [...ended]) if (entry.userId === userId) drop(id)
    },
  }
}
