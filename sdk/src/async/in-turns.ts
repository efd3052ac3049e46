/** Runs pieces of work with the same key one after the other. Nothing is kept of a key without work. */
export interface InTurns {
  /**
   * Begins the work when what came before it with this key has ended, also by a throw. Resolves and
   * rejects as the work does.
   */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>
}

/** An order of its own for each key. Bounded by the work that waits: nothing else is kept. */
export function createInTurns(): InTurns {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
      const before = last.get(key) ?? Promise.resolve()
      const mine = before.then(work, work)
      const settled = mine.then(
        () => undefined,
        () => undefined,
      )
      last.set(key, settled)
      try {
        return await mine
      } finally {
        if (last.get(key) === settled) last.delete(key)
      }
    },
  }
}
