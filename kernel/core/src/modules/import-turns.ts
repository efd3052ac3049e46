import type { Clock } from '@agent-service/sdk/services/clock'

/** Imports modules of plugins so that none disturbs another. */
export interface ImportTurns {
  /** Imports at once. */
  atOnce(load: () => Promise<unknown>): Promise<unknown>
  /**
   * Imports the module of a file alone: when those that were begun at once have ended, and the turn
   * before is over or has had its time. CommonJS cannot require a module that another import is
   * still loading; Node throws then, not always where it can be caught.
   */
  inTurn(file: string, load: () => Promise<unknown>): Promise<unknown>
}

/** How long is waited for imports, which may wait for ever at their top level, in milliseconds. */
interface TurnLimits {
  readonly clock: Clock
  /** For one that was begun at once. */
  readonly atOnceMs: number
  /** For the turn before. */
  readonly turnMs: number
}

/** Makes the turns of one host. */
export function createImportTurns({ clock, atOnceMs, turnMs }: TurnLimits): ImportTurns {
  const open = new Set<Promise<unknown>>()
  const turns = new Map<string, Promise<unknown>>()
  let last: Promise<void> = Promise.resolve()
  return {
    atOnce(load) {
      const work = load()
      open.add(work)
      const end = (): void => void open.delete(work)
      void work.then(end, end)
      return work
    },
    inTurn(file, load) {
      const begun = turns.get(file)
      if (begun !== undefined) return begun
      const begins = last.then(() => endOf([...open], { clock, limitMs: atOnceMs }))
      const work = begins.then(load)
      last = begins.then(() => endOf([work], { clock, limitMs: turnMs }))
      turns.set(file, work)
      const end = (): void => void turns.delete(file)
      void work.then(end, end)
      return work
    },
  }
}

/** Resolves when all have ended, or after the limit. */
async function endOf(
  works: readonly Promise<unknown>[],
  { clock, limitMs }: { readonly clock: Clock; readonly limitMs: number },
): Promise<void> {
  if (works.length === 0) return
  await new Promise<void>((resolve) => {
    const cancel = clock.after(limitMs, resolve)
    void Promise.allSettled(works).then(async () => {
      await cancel()
      resolve()
    })
  })
}
