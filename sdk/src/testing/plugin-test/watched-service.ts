import { clockService } from '../../services/clock.js'
import { databaseService } from '../../services/database.js'
import { metricsService } from '../../services/metrics.js'
import { quotasService } from '../../services/quotas.js'
import { secretsService } from '../../services/secrets.js'

/** Functions of services that a setup may call and still do nothing: they only read, or make an object. */
const idleCalls: ReadonlyMap<string, readonly string[]> = new Map([
  [clockService.id, ['now', 'monotonic']],
  [databaseService.id, ['collection']],
  [metricsService.id, ['counter', 'gauge', 'histogram']],
  [quotasService.id, ['limit']],
  [secretsService.id, ['resolve', 'protect']],
])

/** The same service; `onCall` is told of each call that may begin something, as `kernel.clock.after`. */
export function watchedService(id: string, service: unknown, onCall: (call: string) => void): unknown {
  if (typeof service !== 'object' || service === null) return service
  return new Proxy(service, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function' || typeof name !== 'string') return member
      return (...given: unknown[]): unknown => {
        if (idleCalls.get(id)?.includes(name) !== true) onCall(`${id}.${name}`)
        return Reflect.apply(member, target, given)
      }
    },
  })
}

/** A service of another plugin that is there and has no fake: whatever is called of it is told to `onCall`. */
export const standInService = (id: string, onCall: (call: string) => void): unknown =>
  new Proxy(
    {},
    {
      get: (_, name) => (typeof name === 'string' && name !== 'then' ? () => onCall(`${id}.${name}`) : undefined),
    },
  )
