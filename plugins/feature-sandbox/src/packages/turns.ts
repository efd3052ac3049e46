import { abortable } from '@agent-service/sdk/async'

/** Lets work for the same key happen one after the other. */
export interface Turns {
  /** Runs the work when those before it have ended. @throws the signal's reason while it waits. */
  take<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>()
  return {
    async take(key, signal, work) {
      const before = last.get(key) ?? Promise.resolve()
      let end: () => void = () => undefined
      const own = new Promise<void>((resolve) => {
        end = resolve
      })
      const all = before.then(() => own)
      last.set(key, all)
      void all.then(() => {
        if (last.get(key) === all) last.delete(key)
      })
      try {
        await abortable(before, signal)
        return await work()
      } finally {
        end()
      }
    },
  }
}
