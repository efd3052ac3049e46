import { memoriesBusyError } from './errors.js'

/** Lets work of one user run one after another in this process; that of others runs beside it. */
export interface Turns {
  /** @throws `memories_busy` at once if too much waits already. */
  run<Result>(userId: string, work: () => Promise<Result>): Promise<Result>
}

/** The most that may wait for one user. */
const maxWaiting = 1_000

export function createTurns(): Turns {
  const lines = new Map<string, { last: Promise<unknown>; waiting: number }>()
  return {
    async run(userId, work) {
      const line = lines.get(userId) ?? { last: Promise.resolve(), waiting: 0 }
      if (line.waiting >= maxWaiting) throw memoriesBusyError.create({})
      lines.set(userId, line)
      line.waiting += 1
      const turn = line.last.then(work)
      line.last = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        line.waiting -= 1
        if (line.waiting === 0) lines.delete(userId)
      }
    },
  }
}
