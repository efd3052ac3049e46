import { defineError } from '../core/errors.js'
import { networkOf } from '../core/network-of.js'
import { defineServiceReference } from '../core/service-reference.js'

export { networkOf } from '../core/network-of.js'

/** One holder is at its limit. */
export const limitReachedError = defineError<{ readonly limit: string; readonly counts: string; readonly max: number }>({
  code: 'limit_reached',
  status: 429,
  title: 'Limit reached',
  message: ({ counts, max }) => `At most ${max} ${counts} are allowed at once; end one, or try again later.`,
})

/** All holders together are at the limit. */
export const overloadedError = defineError<{ readonly limit: string; readonly counts: string }>({
  code: 'overloaded',
  status: 503,
  title: 'Overloaded',
  message: ({ counts }) => `The service has as many ${counts} as it can hold at the moment; try again shortly.`,
})

/** A user would store more than allowed. Waiting does not help; deleting does. */
export const quotaExceededError = defineError<{ readonly counts: string; readonly max: number; readonly used: number }>({
  code: 'quota_exceeded',
  status: 413,
  title: 'Quota exceeded',
  message: ({ counts, max, used }) => `At most ${max} ${counts} may be kept, and ${used} are kept now. Delete something first.`,
})

/** A limit: what it counts, and its maximum. */
export interface LimitDefinition {
  /**
   * kebab-case, unique: `event-streams`. The name in metrics and errors; that of a third party
   * begins with its plugin's id.
   */
  readonly name: string
  /** What is counted, in the plural, for people: `open event streams`. */
  readonly counts: string
  /** How much one holder may have at once. A function is asked at each take. */
  readonly maxPerHolder: number | ((holder: string) => number)
  /** How much all holders may have together. Default: no bound. */
  readonly maxTotal?: number
  /**
   * A part of {@link maxTotal} that only holds of at most `upTo` may use, so that large ones never
   * block small ones. Holds above `upTo` have the rest of it at most, all together; a hold that
   * grows past `upTo` counts among them from then on. Default: none.
   */
  readonly reserve?: { readonly amount: number; readonly upTo: number }
  /**
   * How many may wait for room, and for how long. The holders take turns; those of one holder wait
   * in line. A small amount may pass a large one of another holder that must wait for room.
   * Default: none waits.
   */
  readonly waiting?: { readonly maxPerHolder: number; readonly maxTotal: number; readonly maxMs: number }
  /**
   * A hold that has been idle for so long makes room for a newer one of the same holder, the
   * longest idle first, and only if that is enough. It is looked for when something is taken.
   * Default: never.
   */
  readonly displaceIdleMs?: number
}

/** Options of a hold. */
export interface HoldOptions {
  /** When the hold was last of use, by the monotonic clock. Default: it is never idle. */
  readonly lastUsed?: () => number
  /** Called after the release of a preempted hold. Its errors are logged. */
  readonly onDisplaced?: () => void
}

/** A holder's share of a limit. */
export interface Hold {
  /** Who has it, as it was taken. */
  readonly holder: string
  /** How much it is now; 0 once it was released. */
  readonly amount: number
  /**
   * Sets the amount: takes more, or releases some. @throws as {@link Limit.take}; the hold then
   * stays as it was. Does nothing once it was released.
   */
  resize(amount: number): void
  /** Releases it. A second call does nothing. */
  release(): void
}

/** One limit. */
export interface Limit {
  /**
   * Takes at once, 1 by default; an amount of 0 grows later. @throws `limit_reached`, `overloaded`;
   * RangeError for an amount that is not a finite number of at least 0.
   */
  take(holder: string, amount?: number, options?: HoldOptions): Hold
  /**
   * Takes, and waits for room if the definition allows it. @throws as {@link take}, also if too
   * many wait or it waited too long; the reason of the signal.
   */
  acquire(holder: string, amount: number, options: HoldOptions & { readonly signal: AbortSignal }): Promise<Hold>
  /** How much a holder has. */
  used(holder: string): number
}

/**
 * Fair shares. Everything of which one user, or one address, could take so much that others get
 * none goes through a limit. Holders are `user:<id>` for those who are known and
 * `address:<network>` for others ({@link holderOf}). A limit without holds takes no memory.
 *
 * @example
 * const rolls = context.use(quotasService).limit({
 *   name: 'rolls',
 *   counts: 'dice rolls at a time',
 *   maxPerHolder: 3,
 * })
 * const hold = rolls.take(userId)
 * try {
 *   context.log.debug('Rolling.')
 * } finally {
 *   hold.release()
 * }
 */
export interface Quotas {
  /**
   * Declares a limit; it ends with the plugin, which may have 32. `/metrics` shows it by its name.
   * @throws `limit_conflict` for a name that is taken; `limit_invalid` for a definition that does
   * not hold together, and for a third party's name that is not the plugin's id or begins with it
   * and a dash.
   */
  limit(definition: LimitDefinition): Limit
}

/**
 * The holder of a request: its user, even if an actor acts for the user; else its network
 * ({@link networkOf}).
 */
export const holderOf = (caller: { readonly principal?: { readonly userId: string } | undefined; readonly address: string }): string =>
  caller.principal ? `user:${caller.principal.userId}` : `address:${networkOf(caller.address)}`

/** Fair shares between users. Provided by the kernel. */
export const quotasService = defineServiceReference<Quotas>()('kernel.quotas')
