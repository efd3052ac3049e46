/** Allows one change of a path at a time, within this process. */
export interface PathLocks {
  /** Does the work when all earlier work on the same path has ended. The work must be short. */
  run<Result>(path: string, work: () => Promise<Result>): Promise<Result>
}

/** Makes the locks. An unused path takes no memory. */
export function createPathLocks(): PathLocks {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(path, work) {
      const start = () => work()
      const mine = last.get(path)?.then(start, start) ?? start()
      last.set(path, mine)
      try {
        return await mine
      } finally {
        if (last.get(path) === mine) last.delete(path)
      }
    },
  }
}
