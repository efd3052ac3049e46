import { clockService } from '../../services/clock.js'
import { databaseService } from '../../services/database.js'
import { metricsService } from '../../services/metrics.js'
import { quotasService } from '../../services/quotas.js'
import { secretsService } from '../../services/secrets.js'

/** Functions of services that a setup may call and still do nothing, with results that are the same in every deployment. */
const idleCalls: ReadonlyMap<string, readonly string[]> = new Map([
  [clockService.id, ['now', 'monotonic']],
  [databaseService.id, ['collection']],
  [metricsService.id, ['counter', 'gauge', 'histogram']],
  [quotasService.id, ['limit']],
  [secretsService.id, ['protect']],
])

/**
 * The same service; `onUse` is told what is called of it that may begin something, and what is read of it that
 * may differ between deployments: `calls kernel.clock.after`, `reads kernel.deployment.timezone`.
 */
export function watchedService(id: string, service: unknown, onUse: (use: string) => void): unknown {
  if (typeof service !== 'object' || service === null) return service
  return new Proxy(service, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string') return member
      if (typeof member !== 'function') {
        if (member !== undefined) onUse(`reads ${id}.${name}`)
        return member
      }
      return (...given: unknown[]): unknown => {
        if (idleCalls.get(id)?.includes(name) !== true) onUse(`calls ${id}.${name}`)
        return Reflect.apply(member, target, given)
      }
    },
  })
}

/** A service that is there and has no fake: `onUse` is told what is called of it. */
export const standInService = (id: string, onUse: (use: string) => void): unknown =>
  new Proxy(
    {},
    {
      get: (_, name) => (typeof name === 'string' && name !== 'then' ? () => onUse(`calls ${id}.${name}`) : undefined),
    },
  )
