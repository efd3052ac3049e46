import type { Disposer } from '@agent-service/sdk'
import type { Limit, LimitDefinition, Quotas } from '@agent-service/sdk/services/quotas'

export { limitConflictError } from './limit-conflict.js'

/** A limit that reports how much all holders use. */
export interface CountedLimit extends Limit {
  readonly definition: LimitDefinition
  total(): number
}

/** All limits of the service. */
export interface QuotaRegistry extends Quotas {
  /**
   * Declares a limit until `end` is called: then it is no longer measured, and waiting requests are
   * refused. `owner`: the plugin that declares it. @throws `limit_conflict`, `limit_invalid`
   */
  declare(definition: LimitDefinition, owner?: string): { readonly limit: CountedLimit; readonly end: Disposer }
  /** The limits that are declared now. */
  limits(): Iterable<CountedLimit>
}
