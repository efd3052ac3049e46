import { type ConsolePanel, consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { httpRoutes, type Principal } from '@agent-service/sdk/contracts/http-route'
import type { Contributed, Contributions } from '@agent-service/sdk/services/contributions'

/** The panels that a person may see: those for administration are for administrators. */
export function visiblePanels(
  contributions: Pick<Contributions, 'list'>,
  principal: Principal | undefined,
): readonly Contributed<ConsolePanel>[] {
  const isAdmin = principal?.role === 'admin' && principal.scopes.includes('admin')
  return contributions.list(consolePanels).filter(({ value }) => isAdmin || value.group !== 'admin')
}

/** The routes of a plugin as they are now. */
export const routesOf = (contributions: Pick<Contributions, 'list'>, pluginId: string) =>
  contributions
    .list(httpRoutes)
    .filter((route) => route.pluginId === pluginId)
    .map(({ value: { method, path } }) => ({ method, path }))
