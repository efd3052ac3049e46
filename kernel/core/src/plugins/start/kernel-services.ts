import type { DisposableScope } from '@agent-service/sdk/host'
import { clockService } from '@agent-service/sdk/services/clock'
import { type Contributions, contributionsService } from '@agent-service/sdk/services/contributions'
import { type Database, databaseService } from '@agent-service/sdk/services/database'
import type { PluginEnvironment, PluginSurroundings } from './plugin-environment.js'

/**
 * The kernel's services for one start of one plugin, each made on first use. `opened`: its
 * surroundings with its own view of the database; before the database is open, only the clock and
 * what needs nothing open.
 */
export function kernelServicesFor(
  { clock, faults, contributions, plainServices }: PluginEnvironment,
  pluginId: string,
  scope: DisposableScope,
  opened: (PluginSurroundings & { readonly database: Database }) | undefined,
): (id: string) => unknown {
  const made = new Map<string, unknown>()
  const make = (id: string): unknown => {
    if (id === clockService.id) return clock
    if (opened === undefined) return plainServices?.get(id)
    if (id === databaseService.id) return opened.database
    if (id === contributionsService.id) return ownContributions(contributions, scope)
    return opened.kernelServices.get(id)?.(pluginId, scope, (work) => faults.run(pluginId, work))
  }
  return (id) => {
    if (!made.has(id)) made.set(id, make(id))
    return made.get(id)
  }
}

/** Whether {@link kernelServicesFor} knows a service once the database is open. */
export const hasKernelService = ({ kernelServices }: PluginSurroundings, id: string): boolean =>
  kernelServices.has(id) || [clockService.id, databaseService.id, contributionsService.id].some((own) => own === id)

/** The registry as one plugin sees it: its listeners end with it. */
function ownContributions(contributions: Contributions, scope: DisposableScope): Contributions {
  return Object.freeze<Contributions>({
    list: (point) => contributions.list(point),
    acquire: (point, key) => contributions.acquire(point, key),
    prepare: (point, key) => contributions.prepare(point, key),
    settled: (point) => contributions.settled(point),
    onChange(point, listener) {
      if (typeof listener !== 'function')
        throw new TypeError(`contributions.onChange() takes a function to call, and got ${typeof listener}.`)
      const registration = scope.child(`contributions of ${point.id}`)
      registration.add('listener', contributions.onChange(point, listener))
      return async () => {
        await registration.dispose()
      }
    },
  })
}
