/** What came of some work whose power failed at one of its operations. */
export interface PowerFailure {
  /** What is wrong with a disk that may be left. */
  readonly problem?: string
  /** The work came to its end before that operation. */
  readonly finished: boolean
}

/** The problems of a power failure at every operation of some work, and how many operations it has. */
export async function failEverywhere(
  failAt: (operation: number) => Promise<PowerFailure>,
): Promise<{ readonly problems: readonly string[]; readonly failures: number }> {
  const problems: string[] = []
  for (let operation = 1; ; operation++) {
    const { problem, finished } = await failAt(operation)
    if (problem !== undefined) problems.push(`power lost at operation ${operation}: ${problem}`)
    if (finished) return { problems, failures: operation - 1 }
  }
}
