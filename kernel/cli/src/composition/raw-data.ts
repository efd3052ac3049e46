import { routeAttributes } from '@agent-service/kernel-accounts/policy'
import type { RawCollection, RawData, RawFolder } from '@agent-service/kernel-accounts/raw-data'
import { type DiscoveredPlugin, type PluginHost, type PluginReport, unreadSources } from '@agent-service/kernel-core/plugins'
import type { PluginCollection, PluginData, ShownCollection, ShownOperations } from '@agent-service/kernel-services/plugin-data'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { type UserData, userData } from '@agent-service/sdk/contracts/user-data'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { stateOfAbsent } from '../plugin-data/index.js'

/** What plugins have stored of users that no running plugin answers for. */
export function createRawData(dependencies: {
  readonly pluginData: PluginData
  readonly contributions: Pick<Contributions, 'list'>
  readonly host: Pick<PluginHost, 'report'>
  readonly discovered: readonly DiscoveredPlugin[]
  readonly shownOperations: Pick<ShownOperations, 'of'>
}): RawData {
  const { pluginData, contributions, host, discovered, shownOperations } = dependencies
  const reportOf = (pluginId: string): PluginReport | undefined => host.report().find(({ id }) => id === pluginId)
  const absentState = stateOfAbsent(unreadSources(discovered))
  const stateOf = (pluginId: string): string => reportOf(pluginId)?.state ?? absentState

  /** Of a plugin whose manifest or source cannot be read it is not known what it contributes. */
  const isAwaited = (pluginId: string): boolean => {
    const report = reportOf(pluginId)
    if (report === undefined) return absentState !== 'gone'
    if (report.state === 'invalid') return true
    return report.contributes.includes(userData.id) && !contributions.list(userData).some((part) => part.pluginId === pluginId)
  }

  /** Data of users needs a `user.data`, so what was never declared by a plugin without one is none. */
  const isOfUsers = ({ plugin, isAssumed }: PluginCollection): boolean => {
    const report = reportOf(plugin)
    return !isAssumed || report === undefined || report.state === 'invalid' || report.contributes.includes(userData.id)
  }

  const rawCollection = ({ plugin, collection }: PluginCollection): RawCollection => ({
    name: collection.name,
    plugin,
    state: stateOf(plugin),
    isAwaited: isAwaited(plugin),
    sealed: collection.sealed,
    shownBy: () => shownOperations.of(collection.name),
    documents: (userId, options) => pluginData.documentsOf(collection, userId, options),
    erase: (userId, options) => pluginData.eraseOf(collection, userId, options),
  })

  return {
    async collections() {
      const covered = new Set(contributions.list(userData).flatMap(({ value }) => value.collections))
      return (await pluginData.uncovered(covered)).filter(isOfUsers).map(rawCollection)
    },
    async folders() {
      const declared = new Set(declaredFolders(discovered))
      const folders = new Map<string, RawFolder>()
      for (const { id, subsystems } of await pluginData.list())
        for (const name of subsystems) if (!declared.has(name)) folders.set(name, { name, plugin: id, state: stateOf(id) })
      return [...folders.values()]
    },
    isGone: (pluginId) => stateOf(pluginId) === 'gone',
  }
}

/**
 * Says which operations show what each collection has, as the plugins that run declare, and which of them are served.
 * It is asked after each change of the plugins; what has not changed is the same object as before.
 */
export function createShownNow(
  contributions: Pick<Contributions, 'list'>,
): (served: readonly { readonly route: HttpRoute }[]) => ReadonlyMap<string, ShownCollection> {
  const known = new WeakMap<UserData, { readonly routes: readonly HttpRoute[]; readonly shown: ShownCollection }>()
  const shownBy = (part: UserData, operations: ReadonlyMap<string, HttpRoute>): ShownCollection => {
    const declared = part.shownBy ?? []
    const routes = declared.flatMap((id) => operations.get(id) ?? [])
    const before = known.get(part)
    if (before?.routes.length === routes.length && routes.every((route, index) => route === before.routes[index])) return before.shown
    const shown = { declared, served: routes.map((route) => ({ operation_id: route.operationId, attributes: routeAttributes(route) })) }
    known.set(part, { routes, shown })
    return shown
  }
  return (served) => {
    const operations = new Map(served.map(({ route }) => [route.operationId, route]))
    const shown = new Map<string, ShownCollection>()
    for (const { value } of contributions.list(userData)) {
      const own = shownBy(value, operations)
      for (const name of value.collections) {
        const other = shown.get(name)
        shown.set(name, other ? { declared: [...other.declared, ...own.declared], served: [...other.served, ...own.served] } : own)
      }
    }
    return shown
  }
}

/** The folders of users that installed plugins declare. */
export const declaredFolders = (discovered: readonly DiscoveredPlugin[]): readonly string[] =>
  discovered.flatMap((plugin) => (plugin.status === 'valid' ? (plugin.manifest.storage?.subsystems ?? []) : []))
