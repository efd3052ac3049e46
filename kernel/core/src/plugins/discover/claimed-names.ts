import type { PluginManifestFile } from '@agent-service/sdk'
import { type DiscoveredPlugin, refuse, type ValidPlugin } from './discovered-plugin.js'

/** A kind of name that has one owner in a deployment. */
interface Claim {
  /** For messages: `type of event`. */
  readonly what: string
  readonly namesIn: (manifest: PluginManifestFile) => readonly string[]
  /** Whether a third party's plugin may have this name. */
  readonly isOwn: (pluginId: string, name: string) => boolean
  /** Describes the form of a third party's names. */
  readonly ownNames: (pluginId: string) => string
}

const claims: readonly Claim[] = [
  {
    what: 'type of event',
    namesIn: ({ events = {} }) => Object.keys(events),
    isOwn: (id, name) => name.startsWith(`${id}.`),
    ownNames: (id) => `begin with “${id}.”`,
  },
  {
    what: 'storage subsystem',
    namesIn: ({ storage = {} }) => storage.subsystems ?? [],
    isOwn: (id, name) => name === id || name.startsWith(`${id}.`),
    ownNames: (id) => `be “${id}”, or begin with “${id}.”`,
  },
]

/**
 * Refuses plugins whose manifests claim names of others. A third party's names must carry its
 * plugin's id. If two plugins claim a name, both are refused, except a built-in one against a third
 * party.
 */
export function refuseForeignNames(plugin: DiscoveredPlugin, all: readonly DiscoveredPlugin[]): DiscoveredPlugin {
  if (plugin.status === 'invalid') return plugin
  const reason = claims.flatMap((claim) => problemOf(claim, plugin, all)).at(0)
  return reason === undefined ? plugin : refuse(plugin, reason)
}

function problemOf(claim: Claim, plugin: ValidPlugin, all: readonly DiscoveredPlugin[]): readonly string[] {
  const { id, builtIn, manifest } = plugin
  return claim.namesIn(manifest).flatMap((name) => {
    const rivals = all.filter(
      (other) =>
        other !== plugin && other.status === 'valid' && (other.builtIn || !builtIn) && claim.namesIn(other.manifest).includes(name),
    )
    const names = [id, ...rivals.map((rival) => rival.id)].sort().map((rival) => `“${rival}”`)
    if (rivals.length > 0)
      return [`the ${claim.what} “${name}” is declared by ${names.join(' and ')}; it must have one owner. Rename one of them`]
    if (builtIn || claim.isOwn(id, name)) return []
    return [`it declares the ${claim.what} “${name}”; those of this plugin must ${claim.ownNames(id)}`]
  })
}
