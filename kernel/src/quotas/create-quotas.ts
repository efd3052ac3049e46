import { type Disposer, defineError } from '@agent-service/sdk'
import type { DisposableScope } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { LimitDefinition, Quotas } from '@agent-service/sdk/services/quotas'
import { createLimit, type MeasuredLimit } from './create-limit.js'

/** Two parts of the service name a limit alike. */
export const limitConflictError = defineError<{ readonly limit: string }>({
  code: 'limit_conflict',
  status: 500,
  title: 'Limit conflict',
  message: ({ limit }) => `There is a limit named “${limit}” already. Name this one differently.`,
})

/** All limits of the service. */
export interface QuotaRegistry extends Quotas {
  /** Declares a limit for a time. @throws `limit_conflict`. */
  declare(definition: LimitDefinition): { readonly limit: MeasuredLimit; readonly end: Disposer }
  /** Those that are declared now, for the metrics. */
  limits(): Iterable<MeasuredLimit>
}

/** Makes a registry without limits. */
export function createQuotas(clock: Clock): QuotaRegistry {
  const limits = new Map<string, MeasuredLimit>()
  const declare = (definition: LimitDefinition) => {
    if (limits.has(definition.name)) throw limitConflictError.create({ limit: definition.name })
    const limit = createLimit(definition, clock)
    limits.set(definition.name, limit)
    return { limit, end: () => void limits.delete(definition.name) }
  }
  return { declare, limit: (definition) => declare(definition).limit, limits: () => limits.values() }
}

/** The service of one plugin: its limits end with it. */
export const ownLimits = (quotas: QuotaRegistry, scope: DisposableScope): Quotas => ({
  limit(definition) {
    const { limit, end } = quotas.declare(definition)
    scope.add(`limit ${definition.name}`, end)
    return limit
  },
})
