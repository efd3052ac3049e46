import { limitConflictError, type QuotaRegistry } from '@agent-service/kernel-core/quotas'
import type { Logger } from '@agent-service/sdk'
import type { DisposableScope } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { LimitDefinition, Quotas } from '@agent-service/sdk/services/quotas'
import type { InjectionToken } from 'tsyringe'
import { limitInvalidError } from './check-definition.js'
import { createLimit } from './create-limit.js'
import type { MeasuredLimit, MeasuredQuotas } from './measured-limit.js'

/** Each limit adds a series to every metric of limits. */
const maxLimitsOfPlugin = 32

/** Makes a registry without limits. */
export function createQuotas(dependencies: { readonly clock: Clock; readonly log: Logger }): MeasuredQuotas {
  const limits = new Map<string, MeasuredLimit>()
  const owners = new Map<string, string | undefined>()
  const declare = (definition: LimitDefinition, owner?: string) => {
    if (limits.has(definition.name)) {
      const other = owners.get(definition.name)
      throw limitConflictError.create({ limit: definition.name, ...(other !== undefined && { owner: other }) })
    }
    const limit = createLimit(definition, dependencies)
    const { name } = limit.definition
    limits.set(name, limit)
    owners.set(name, owner)
    const end = (): void => {
      if (limits.get(name) === limit) limits.delete(name)
      limit.close()
    }
    return { limit, end }
  }
  return { declare, limit: (definition) => declare(definition).limit, limits: () => limits.values() }
}

/**
 * The service of one plugin: its limits end with it. A plugin that is not built in names its limits
 * by its id, or with it as a prefix.
 */
export function ownLimits(
  quotas: Pick<QuotaRegistry, 'declare'>,
  plugin: { readonly id: string; readonly builtIn: boolean },
  scope: DisposableScope,
): Quotas {
  let declared = 0
  return Object.freeze<Quotas>({
    limit(definition) {
      const { name } = definition
      if (!plugin.builtIn && name !== plugin.id && !String(name).startsWith(`${plugin.id}-`))
        throw limitInvalidError.create({ limit: String(name), reason: `its name must be “${plugin.id}” or begin with “${plugin.id}-”` })
      if (declared >= maxLimitsOfPlugin)
        throw limitInvalidError.create({ limit: String(name), reason: `a plugin may have at most ${maxLimitsOfPlugin} limits` })
      const { limit, end } = quotas.declare(definition, plugin.id)
      declared += 1
      scope.add(`limit ${limit.definition.name}`, end)
      return Object.freeze({ take: limit.take, acquire: limit.acquire, used: limit.used })
    },
  })
}

/** Fair shares between users. */
export const quotasToken: InjectionToken<MeasuredQuotas> = Symbol('quotas')
