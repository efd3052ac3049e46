import { type NameClaim, nameClaims } from '@agent-service/sdk/host'
import { type DiscoveredPlugin, refuse, type ValidPlugin } from './discovered-plugin.js'

/**
 * Refuses plugins whose manifests claim names of built-in plugins. Two built-in plugins that claim
 * one name are both refused. Names of third parties carry the id of the plugin, which is checked
 * before, or one that it had before: which plugin has what belongs to that is decided at its start.
 */
export function refuseClaimedNames(plugin: DiscoveredPlugin, all: readonly DiscoveredPlugin[]): DiscoveredPlugin {
  if (plugin.status === 'invalid') return plugin
  const reasons = nameClaims.flatMap((claim) => rivalLines(claim, plugin, all))
  return reasons.length === 0 ? plugin : refuse(plugin, ...reasons)
}

function rivalLines(claim: NameClaim, plugin: ValidPlugin, all: readonly DiscoveredPlugin[]): readonly string[] {
  return claim.namesIn(plugin.manifest).flatMap((name) => {
    const rivals = all.filter(
      (other) => other !== plugin && other.status === 'valid' && other.builtIn && claim.namesIn(other.manifest).includes(name),
    )
    if (rivals.length === 0) return []
    const names = [plugin.id, ...rivals.map((rival) => rival.id)].sort().map((rival) => `“${rival}”`)
    return [`the ${claim.what} “${name}” is declared by ${names.join(' and ')}; it must have one owner. Rename one of them`]
  })
}
