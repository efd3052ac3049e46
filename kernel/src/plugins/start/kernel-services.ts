import type { DisposableScope } from '@agent-service/sdk/host'
import { clockService } from '@agent-service/sdk/services/clock'
import { type Contributions, contributionsService } from '@agent-service/sdk/services/contributions'
import { type Database, databaseService } from '@agent-service/sdk/services/database'
import type { PluginEnvironment } from './plugin-environment.js'

/** The services that exist before the database is open. Only the plugins of the boot phase start that early. */
const bootServices: ReadonlySet<string> = new Set([clockService.id])

/** The kernel's services for one start of one plugin, each made when it is first asked for. Without a database: those of the boot phase alone. */
export function kernelServicesFor(
  environment: PluginEnvironment,
  pluginId: string,
  scope: DisposableScope,
  database: Database | undefined,
): (id: string) => unknown {
  const made = new Map<string, unknown>()
  const make = (id: string): unknown => {
    if (database === undefined && !bootServices.has(id)) return undefined
    const factory = environment.kernelServices.get(id)
    if (factory) return factory(pluginId, scope, (work) => environment.faults.run(pluginId, work))
    switch (id) {
      case clockService.id:
        return environment.clock
      case databaseService.id:
        return database
      case contributionsService.id:
        return ownContributions(environment.contributions, scope)
      default:
        return undefined
    }
  }
  return (id) => {
    if (!made.has(id)) made.set(id, make(id))
    return made.get(id)
  }
}

/** Whether {@link kernelServicesFor} knows a service once the database is open. */
export function hasKernelService(environment: PluginEnvironment, id: string): boolean {
  const ofEachPlugin: readonly string[] = [clockService.id, databaseService.id, contributionsService.id]
  return environment.kernelServices.has(id) || ofEachPlugin.includes(id)
}

/** The registry as one plugin sees it: its listeners end with it. */
function ownContributions(contributions: Contributions, scope: DisposableScope): Contributions {
  return Object.freeze<Contributions>({
    list: (point) => contributions.list(point),
    acquire: (point, key) => contributions.acquire(point, key),
    settled: (point) => contributions.settled(point),
    onChange(point, listener) {
      const registration = scope.child(`contributions of ${point.id}`)
      registration.add('listener', contributions.onChange(point, listener))
      return async () => {
        await registration.dispose()
      }
    },
  })
}
