import type { CountedLimit, QuotaRegistry } from '@agent-service/kernel-core/quotas'
import type { Disposer } from '@agent-service/sdk'
import type { LimitDefinition } from '@agent-service/sdk/services/quotas'
import type { Distribution } from '../metrics/distribution.js'

/** A limit with its metrics. */
export interface MeasuredLimit extends CountedLimit {
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

/** All limits, with their metrics. */
export interface MeasuredQuotas extends QuotaRegistry {
  declare(definition: LimitDefinition): { readonly limit: MeasuredLimit; readonly end: Disposer }
  limits(): Iterable<MeasuredLimit>
}
