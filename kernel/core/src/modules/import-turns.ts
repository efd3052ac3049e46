import type { Clock } from '@agent-service/sdk/services/clock'
import { importFile } from './import-file.js'

/** Imports modules of plugins so that none disturbs another. */
export interface ImportTurns {
  /** Imports a module at once. */
  atOnce(file: string): Promise<unknown>
  /**
   * Imports a module when all imports that are under way or wait have ended, or after the limit:
   * one may wait for ever at its top level. CommonJS cannot require a module that another import is
   * still loading; Node throws then, not always where it can be caught.
   */
  inTurn(file: string): Promise<unknown>
}

/** Makes the turns of one host. */
export function createImportTurns({ clock, limitMs }: { readonly clock: Clock; readonly limitMs: number }): ImportTurns {
  const open = new Set<Promise<unknown>>()
  const turns = new Map<string, Promise<unknown>>()
  const follow = (work: Promise<unknown>, onEnd: () => void = () => undefined): Promise<unknown> => {
    open.add(work)
    const end = (): void => {
      open.delete(work)
      onEnd()
    }
    void work.then(end, end)
    return work
  }
  const endOf = async (earlier: readonly Promise<unknown>[]): Promise<void> => {
    if (earlier.length === 0) return
    await new Promise<void>((resolve) => {
      const cancel = clock.after(limitMs, () => {
        // Those that hang are waited for once.
        for (const work of earlier) open.delete(work)
        resolve()
      })
      void Promise.allSettled(earlier).then(async () => {
        await cancel()
        resolve()
      })
    })
  }
  return {
    atOnce: (file) => follow(importFile(file)),
    inTurn(file) {
      const begun = turns.get(file)
      if (begun !== undefined) return begun
      const turn = follow(
        endOf([...open]).then(() => importFile(file)),
        () => turns.delete(file),
      )
      turns.set(file, turn)
      return turn
    },
  }
}
