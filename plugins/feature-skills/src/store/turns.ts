/** One after the other. A failure of one does not concern the next. */
export interface Turns {
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(work) {
      const mine = last.then(work, work)
      last = mine.then(
        () => undefined,
        () => undefined,
      )
      return mine
    },
  }
}
