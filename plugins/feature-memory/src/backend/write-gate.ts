/** Lets changes of a user's memories through, or holds them. */
export interface WriteGate {
  /**
   * Runs a change once it may. @throws `memory_moving` if that takes too long, the signal's reason,
   * and what the change throws.
   */
  pass<Result>(userId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}
