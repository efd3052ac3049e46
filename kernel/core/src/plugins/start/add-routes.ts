import type { Contribution } from '@agent-service/sdk'
import { type HttpErrorFormat, httpErrorFormats } from '@agent-service/sdk/contracts/http-error-format'
import { type HttpRoute, httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { type HttpSite, httpSites } from '@agent-service/sdk/contracts/http-site'
import { type WebSocketRoute, websocketRoutes } from '@agent-service/sdk/contracts/websocket-route'
import type { DisposableScope, StoppingHooks } from '@agent-service/sdk/host'
import type { RouteOwner } from '../../http/route-table.js'
import { schemaPrefixOf } from '../../http/schemas/schema-names.js'
import type { PreparedContribution } from '../contributions/contribution-registry.js'
import type { ValidPlugin } from '../discover/discovered-plugin.js'
import type { PluginEnvironment } from './plugin-environment.js'

/** The owner of the routes, and the scope that removes them. */
export interface RoutesOf {
  readonly plugin: ValidPlugin
  readonly environment: PluginEnvironment
  readonly scope: DisposableScope
  readonly stopping: StoppingHooks
}

/**
 * Adds a plugin's routes, WebSockets, sites and error formats, all of them already guarded. Its long-lived
 * connections are closed as soon as its stop is announced.
 * @throws the error of the route table; a collision names both owners.
 */
export function addRoutes(
  { plugin, environment, scope, stopping }: RoutesOf,
  contributions: readonly PreparedContribution[],
  acquire: NonNullable<RouteOwner['acquire']>,
): void {
  const { routes } = environment
  const end = new AbortController()
  const prefixes = plugin.builtIn ? (plugin.manifest.routes ?? []) : [`/api/plugins/${plugin.id}/`]
  const owner: RouteOwner = { id: plugin.id, prefixes, schemaPrefix: schemaPrefixOf(plugin), acquire, stopping: end.signal }
  let longLived = false

  for (const route of contributed<HttpRoute>(contributions, httpRoutes.id))
    scope.add(`route ${route.method} ${route.path}`, routes.add(route, owner))
  for (const route of contributed<WebSocketRoute>(contributions, websocketRoutes.id)) {
    scope.add(`WebSocket ${route.path}`, routes.addWebSocket(route, owner))
    longLived = true
  }
  for (const site of contributed<HttpSite>(contributions, httpSites.id)) {
    scope.add(`site ${site.host}`, routes.addSite(site, owner))
    longLived = true
  }
  for (const format of contributed<HttpErrorFormat>(contributions, httpErrorFormats.id))
    scope.add(`errors below ${format.prefix}`, routes.addErrorFormat(format, owner))
  if (longLived) stopping.add(() => end.abort(new DOMException(`Plugin “${plugin.id}” is stopping.`, 'AbortError')))
}

export const contributed = <T extends Contribution>(contributions: readonly PreparedContribution[], point: string): readonly T[] =>
  contributions.filter((contribution) => contribution.point === point).map(({ value }) => value as T)
