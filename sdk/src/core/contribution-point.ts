/** How many contributions a point takes: any number, keyed, or the one that the configuration picks. */
export type Cardinality = 'many' | 'slot'

/** What every contribution says of itself: the generation of the contract that it was written for. */
export interface Contribution {
  /** One of the point's `specVersions`. An older one is lifted by the host; one it does not know is refused with a reason. */
  readonly specVersion: number
}

/**
 * A place where plugins add things. Identity is the `id` string, so that points of several copies of the SDK are the same point.
 * The type parameter is the contract of what is contributed.
 */
export interface ContributionPoint<T extends Contribution> {
  /** Dotted and kebab-case: `database.driver`. */
  readonly id: string
  /** Whether several contributions may be in effect at once. */
  readonly cardinality: Cardinality
  /** The contract generations that this SDK knows, newest last. */
  readonly specVersions: readonly number[]
  /** The key of a contribution. Two contributions of one key are an error that names both owners. */
  keyOf(contribution: T): string
}

/** Defines a contribution point. Ids are dotted and kebab-case: `database.driver`. */
export function defineContributionPoint<T extends Contribution>(definition: ContributionPoint<T>): ContributionPoint<T> {
  return Object.freeze({ ...definition })
}
