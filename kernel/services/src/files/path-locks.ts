export type PathLocks = ReturnType<typeof createPathLocks>

/** Allows one change of a path at a time, within this process. An unused path takes no memory. */
export function createPathLocks() {
  const last = new Map<string, Promise<unknown>>()
  return {
    /** Does the work when all earlier work on the same path has ended. The work must be short. */
    async run<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
      const mine = last.get(path)?.then(work, work) ?? work()
      last.set(path, mine)
      try {
        return await mine
      } finally {
        if (last.get(path) === mine) last.delete(path)
      }
    },
  }
}
