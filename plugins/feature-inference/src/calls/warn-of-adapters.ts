import type { Logger } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { suggestion } from '@agent-service/sdk/host'
import { modelGroupUnusableError } from '@agent-service/sdk/services/inference'
import type { Connection } from '../connections/connections.js'
import type { GroupRegistry } from './group-registry.js'
import { resolveTarget, type TargetDependencies } from './resolve-target.js'
import { targetsOf } from './targets.js'

/**
 * Warns of what only running plugins can tell, once they run: connections whose adapter none of them contributes, and groups that ask an adapter of a
 * third party for a protocol or a setting that it does not have, or set what it owns. The rules of the configuration check all else.
 */
export async function warnOfAdapters(
  dependencies: TargetDependencies & { readonly groups: GroupRegistry; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const { connections, contributions, log, signal } = dependencies
  await contributions.settled()
  if (signal.aborted) return
  for (const connection of connections.configured) {
    const missing = missingAdapter(connection, dependencies)
    if (missing !== undefined) log.warn(`providers.${connection.handle}.adapter: ${missing}`)
  }
  for (const reason of unusableTargets(dependencies)) log.warn(reason)
}

/** Of the catalogue's own families it is known that they are there, or their plugin says why not. */
const isForeign = ({ adapter }: Connection, { catalogue }: TargetDependencies): boolean =>
  adapter !== undefined && catalogue.family(adapter) === undefined

function missingAdapter(connection: Connection, dependencies: TargetDependencies): string | undefined {
  const { adapter, settings } = connection
  if (adapter === undefined || !settings.enabled || !isForeign(connection, dependencies)) return undefined
  const names = dependencies.contributions.list(providerAdapters).flatMap(({ key, value }) => [key, value.name])
  return names.includes(adapter) ? undefined : `no active plugin contributes the adapter “${adapter}”${suggestion(adapter, names)}`
}

function unusableTargets(dependencies: TargetDependencies & { readonly groups: GroupRegistry }): readonly string[] {
  const { groups, connections } = dependencies
  return groups
    .list()
    .flatMap(({ name }) => groups.find(name) ?? [])
    .flatMap((group) => targetsOf(group, connections).map((target) => ({ group, target })))
    .filter(({ target }) => {
      const connection = connections.find(target.settings.provider)
      return connection !== undefined && isForeign(connection, dependencies) && missingAdapter(connection, dependencies) === undefined
    })
    .flatMap(({ group, target }) => {
      try {
        resolveTarget({ group, target, request: { group: group.name, messages: [], tools: [] } }, dependencies).lease.release()
        return []
      } catch (error) {
        if (modelGroupUnusableError.isInstance(error)) return [error.message]
        return []
      }
    })
}
