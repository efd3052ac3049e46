import type { Disposer } from '@agent-service/sdk'
import type { Limit, LimitDefinition, Quotas } from '@agent-service/sdk/services/quotas'
import type { Distribution } from '../metrics/distribution.js'

/** A limit with its metrics. */
export interface MeasuredLimit extends Limit {
  readonly definition: LimitDefinition
  /** How much all holders use. */
  total(): number
  /** How many holders use something. */
  holders(): number
  /** How many requests wait. */
  waiting(): number
  /** How long requests have waited that had to, in seconds, also those that were refused then. */
  readonly waits: Distribution
  /** Number of refusals since the start. */
  refused(): number
  /** Number of displaced holds since the start. */
  displaced(): number
  /** Refuses all waiting requests. */
  close(): void
}

/** All limits of the service. */
export interface QuotaRegistry extends Quotas {
  /**
   * Declares a limit until `end` is called: then it is no longer measured, and waiting requests are
   * refused. @throws `limit_conflict`, `limit_invalid`
   */
  declare(definition: LimitDefinition): { readonly limit: MeasuredLimit; readonly end: Disposer }
  /** The limits that are declared now. */
  limits(): Iterable<MeasuredLimit>
}
