import { valueAt } from '@agent-service/kernel-core/config'
import type { SiteTable } from '@agent-service/kernel-core/http/routing'
import type { DiscoveredPlugin } from '@agent-service/kernel-core/plugins'
import type { JsonValue, Logger, PluginManifestFile } from '@agent-service/sdk'

/**
 * Claims the hosts that the manifests of built-in plugins name, whether the plugins run or not. A
 * page from a claimed host may live on in browsers, with its service workers, and must never find
 * the API at its own origin.
 */
export function claimHosts(
  discovered: readonly DiscoveredPlugin[],
  environment: { readonly sites: SiteTable; readonly log: Logger; readonly configurationOf: (manifest: PluginManifestFile) => unknown },
): void {
  for (const plugin of discovered) {
    if (plugin.status !== 'valid' || !plugin.builtIn || plugin.manifest.hosts === undefined) continue
    const configuration = environment.configurationOf(plugin.manifest)
    const hosts = plugin.manifest.hosts.flatMap((pattern) => {
      const host = fillIn(pattern, configuration)
      if (host === undefined)
        environment.log.warn(`The host “${pattern}” of ${plugin.id} does not refer to a text in the plugin's configuration`)
      return host === undefined ? [] : [host]
    })
    environment.sites.claim(plugin.id, hosts)
  }
}

/** A pattern with its setting in braces replaced by the value; `undefined` if there is none. */
function fillIn(pattern: string, configuration: unknown): string | undefined {
  const [place, path = ''] = /\{([^}]*)\}/.exec(pattern) ?? []
  if (place === undefined) return pattern
  const value = valueAt(configuration as JsonValue, path.split('.'))
  return typeof value === 'string' && value !== '' ? pattern.replace(place, value.toLowerCase()) : undefined
}
