/** How the functions of a contribution run. */
export interface ContributionGuard {
  /** Runs code of the plugin, so that what it leaves behind is known as its work. */
  run<Result>(work: () => Result): Result
  /** Something of the contribution did not do what its contract says, and the service went on without it. */
  onFault(what: string, error: unknown): void
}
