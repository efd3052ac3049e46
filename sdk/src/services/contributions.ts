import type { Contribution, ContributionPoint } from '../core/contribution-point.js'
import type { Disposer } from '../core/disposer.js'
import { defineServiceReference } from '../core/service-reference.js'

/** A contribution with the plugin that made it. */
export interface Contributed<T extends Contribution> {
  /** The contribution's key, by the point's `keyOf`. */
  readonly key: string
  /** Its owner. */
  readonly pluginId: string
  /**
   * The members of the plugin's object as they were when it was checked; its functions run as work
   * of that plugin. Do not keep it beyond the call: its plugin may stop.
   */
  readonly value: T
}

/**
 * A contribution for the time of one call. Disabling its plugin waits for open leases, up to a
 * limit; then `signal` is aborted. Pass it to the call, and release in a `finally`.
 */
export interface ContributionLease<T extends Contribution> extends Contributed<T> {
  /** Aborted when the plugin stops and the limit for calls in flight is over. */
  readonly signal: AbortSignal
  /** May be called more than once. */
  release(): void
}

/**
 * What plugins have contributed, as of now: they come and go while the service runs.
 *
 * @example
 * const contributions = context.use(contributionsService)
 * const lease = contributions.acquire(tools, 'roll_dice')
 * try {
 *   context.log.info('Found a tool.', { title: lease?.value.title })
 * } finally {
 *   lease?.release()
 * }
 */
export interface Contributions {
  /** In order of key. */
  list<T extends Contribution>(point: ContributionPoint<T>): readonly Contributed<T>[]
  /** For one call. `undefined` if there is none, or its plugin is stopping. */
  acquire<T extends Contribution>(point: ContributionPoint<T>, key: string): ContributionLease<T> | undefined
  /**
   * Starts the plugin of a contribution that will be used soon, if it waits for its first use, so that the use
   * does not wait for that. Returns at once; a plugin that cannot start says so in its state, and to each use of it.
   */
  prepare(point: ContributionPoint<Contribution>, key: string): void
  /** Calls back after each change of the point. The result ends it. */
  onChange(point: ContributionPoint<Contribution>, listener: () => void): Disposer
  /**
   * Resolves once every built-in and required plugin runs or has failed to, and the others have too
   * or have had their grace. What is not there by then belongs to no part of the service; what a
   * late plugin brings is reported by {@link Contributions.onChange}. With a point: once those have
   * whose manifest says that they contribute to it, so that one that hangs delays only those who
   * wait for what it has.
   */
  settled(point?: ContributionPoint<Contribution>): Promise<void>
}

/** What plugins have contributed. Provided by the kernel. */
export const contributionsService = defineServiceReference<Contributions>()('kernel.contributions')
