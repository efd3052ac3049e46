/**
 * How many contributions a point takes: any number, keyed, or the one that the configuration picks.
 */
export type Cardinality = 'many' | 'slot'

/** A member of every contribution: the generation of the contract that it was written for. */
export interface Contribution {
  /**
   * One of the point's `specVersions`. An older one is lifted by the host; one it does not know is
   * refused with a reason.
   */
  readonly specVersion: number
}

/**
 * A point to which plugins add contributions. Identity is the `id` string, so that points of
 * several copies of the SDK are the same point. The type parameters are the contract of what is
 * contributed and the id.
 */
export interface ContributionPoint<T extends Contribution, Id extends string = string> {
  /** Dotted and kebab-case: `database.driver`. */
  readonly id: Id
  /** Whether several contributions may be in effect at once. */
  readonly cardinality: Cardinality
  /** The contract generations that this SDK knows, newest last. */
  readonly specVersions: readonly number[]
  /**
   * The key of a contribution. Two contributions of one key are an error that names both owners.
   */
  keyOf(contribution: T): string
  /**
   * Further names that a contribution has for itself, such as the paths of its pages. Two contributions that claim one are
   * an error that names both owners, as for keys. Default: none.
   */
  claimsOf?(contribution: T): readonly string[]
}

/**
 * Defines a contribution point. Ids are dotted and kebab-case: `database.driver`. Called in two
 * steps, the compiler knows the id and holds `contribute` against the manifest; in one step only
 * the host does.
 *
 * @example
 * interface Greeting extends Contribution {
 *   readonly text: string
 * }
 * export const greetings = defineContributionPoint<Greeting>()({
 *   id: 'greeting',
 *   cardinality: 'many',
 *   specVersions: [1],
 *   keyOf: (greeting) => greeting.text,
 * })
 */
export function defineContributionPoint<T extends Contribution>(): <const Id extends string>(
  definition: ContributionPoint<T, Id>,
) => ContributionPoint<T, Id>
/**
 * Defines a contribution point whose id the compiler does not know: the host alone holds
 * `contribute` against the manifest.
 */
export function defineContributionPoint<T extends Contribution>(definition: ContributionPoint<T>): ContributionPoint<T>
export function defineContributionPoint<T extends Contribution>(
  definition?: ContributionPoint<T>,
): ContributionPoint<T> | (<const Id extends string>(definition: ContributionPoint<T, Id>) => ContributionPoint<T, Id>) {
  return definition === undefined ? createPoint : createPoint<T, string>(definition)
}

function createPoint<T extends Contribution, const Id extends string>(definition: ContributionPoint<T, Id>): ContributionPoint<T, Id> {
  return Object.freeze({ ...definition })
}

/**
 * A contribution as its author writes it: without `specVersion`, which the point's `define…`
 * function adds, and with `Defaulted` members optional.
 */
export type ContributionDefinition<T extends Contribution, Defaulted extends keyof T = never> = Omit<T, 'specVersion' | Defaulted> &
  Partial<Pick<T, Defaulted>>
