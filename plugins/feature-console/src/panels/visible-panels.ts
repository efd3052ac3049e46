import { type ConsolePanel, consolePanels, type PanelGroup } from '@agent-service/sdk/contracts/console-panel'
import { httpRoutes, type Principal } from '@agent-service/sdk/contracts/http-route'
import type { Contributed, Contributions } from '@agent-service/sdk/services/contributions'

const forAdministrators: ReadonlySet<PanelGroup> = new Set<PanelGroup>(['admin', 'user', 'set_up'])

/** The panels that a person may see: those for administration, tabs of users and steps of the set-up are for administrators. */
export function visiblePanels(
  contributions: Pick<Contributions, 'list'>,
  principal: Principal | undefined,
): readonly Contributed<ConsolePanel>[] {
  const isAdmin = principal?.role === 'admin' && principal.scopes.includes('admin')
  return contributions.list(consolePanels).filter(({ value }) => isAdmin || !forAdministrators.has(value.group))
}

/** The routes of a plugin as they are now. */
export const routesOf = (contributions: Pick<Contributions, 'list'>, pluginId: string) =>
  contributions
    .list(httpRoutes)
    .filter((route) => route.pluginId === pluginId)
    .map(({ value: { method, path } }) => ({ method, path }))
