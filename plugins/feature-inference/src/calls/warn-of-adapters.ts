import type { Logger } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { suggestion } from '@agent-service/sdk/host'
import { modelGroupUnusableError } from '@agent-service/sdk/services/inference'
import type { Connection } from '../connections/connections.js'
import { targetsOf } from '../targets/fallback-order.js'
import type { GroupRegistry } from '../targets/group-registry.js'
import { resolveTarget } from '../targets/resolve-target.js'
import type { TargetDependencies } from '../targets/target-dependencies.js'

/**
 * Logs warnings that depend on running plugins: connections whose adapter none of them contributes,
 * and groups that ask a third-party adapter for a protocol or setting that it does not have, or
 * that set a member that the service owns. The configuration rules check everything else.
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

/** Adapters of the catalogue's families are installed, or their plugin reports why not. */
const isThirdParty = ({ adapter }: Connection, { catalogue }: TargetDependencies): boolean =>
  adapter !== undefined && catalogue.family(adapter) === undefined

function missingAdapter(connection: Connection, dependencies: TargetDependencies): string | undefined {
  const { adapter, settings } = connection
  if (adapter === undefined || !settings.enabled || !isThirdParty(connection, dependencies)) return undefined
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
      return connection !== undefined && isThirdParty(connection, dependencies) && missingAdapter(connection, dependencies) === undefined
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
