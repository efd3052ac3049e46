/** How a child process ended. */
export interface ChildExit {
  /**
   * `exited` and `signalled`: by itself, or by another process; `stopped`: it was asked to;
   * `aborted`: its signal was aborted; `overran`: it lived longer than it may.
   */
  readonly reason: 'exited' | 'signalled' | 'stopped' | 'aborted' | 'overran'
  /** Its status; null if a signal ended it. */
  readonly code: number | null
  /** The signal that ended it; null if it ended with a status. */
  readonly signal: string | null
  /**
   * The end of what it wrote to its error output, at most `maxErrorBytes`. May hold anything that
   * the program wrote.
   */
  readonly errorText: string
  /** How long it lived, in milliseconds. */
  readonly lifeMs: number
}

/**
 * An end in a few words, for messages: `it ended with status 2`. What the program wrote is not in
 * it.
 */
export function describeExit({ reason, code, signal, lifeMs }: ChildExit): string {
  const how = signal === null ? `it ended with status ${code}` : `it was ended by ${signal}`
  switch (reason) {
    case 'overran':
      return `${how}, since it ran for more than ${Math.round(lifeMs)} ms`
    case 'stopped':
    case 'aborted':
      return `${how} after it was asked to stop`
    default:
      return how
  }
}
