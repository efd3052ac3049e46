import type { DiscoveredPlugin, ValidPlugin } from '@agent-service/kernel-core/plugins'
import { manifestHash } from '@agent-service/kernel-core/plugins/installed'
import type { RuleConsent } from '@agent-service/kernel-settings/installation'

/**
 * The plugins whose rules a running service has run. The rules of others wait for the next start.
 */
export interface RuledPlugins {
  readonly consent: RuleConsent
  add(plugin: ValidPlugin): void
}

/**
 * A plugin is the same while its folder and its manifest are: another version's rules are other
 * code.
 */
export function createRuledPlugins(plugins: readonly DiscoveredPlugin[]): RuledPlugins {
  const keys = new Set<string>()
  const keyOf = ({ root, manifest }: ValidPlugin): string => `${root}\n${manifestHash(manifest)}`
  for (const plugin of plugins) if (plugin.status === 'valid' && plugin.notGranted === undefined) keys.add(keyOf(plugin))
  return {
    consent: (plugin) => keys.has(keyOf(plugin)),
    add: (plugin) => void keys.add(keyOf(plugin)),
  }
}
