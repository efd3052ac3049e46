import type { PluginManifestFile } from '@agent-service/sdk'
import { type InstalledPlugin, manifestHash } from './installed-plugins.js'

/**
 * Everything that a plugin reaches for by its manifest, one line each: what a person is asked to grant. A manifest is wider than another when it has a
 * line that the other has not.
 */
export function reachesOf(manifest: PluginManifestFile): readonly string[] {
  const { contributes = [], provides = [], requires = [], optional = [], permissions = [] } = manifest
  const granted = permissions.flatMap(({ kind, targets = [], targetsFromConfiguration = [] }) => {
    const named = [...targets, ...targetsFromConfiguration.map((pointer) => `what the setting ${pointer} names`)]
    return (named.length === 0 ? ['anything'] : named).map((target) => `${kind}: ${target}`)
  })
  return [
    ...granted,
    ...contributes.map((point) => `adds to ${point}`),
    ...provides.map((service) => `provides the service ${service}`),
    ...[...requires, ...optional].map((service) => `uses the service ${service}`),
    ...(manifest.rules === undefined ? [] : ['checks the configuration with code of its own']),
  ]
}

/** What a manifest reaches for beyond what was granted. Everything while nothing was. */
export function ungranted(installed: InstalledPlugin, manifest: PluginManifestFile): readonly string[] {
  const granted = new Set(installed.grant?.reaches)
  return reachesOf(manifest).filter((reach) => !granted.has(reach))
}

/** Why an installed plugin may not run; `undefined` when it may. */
export function whyNotGranted(id: string, installed: InstalledPlugin, manifest: PluginManifestFile): string | undefined {
  const mend = `look at it and run “agent-service plugins grant ${id}”`
  if (installed.grant === undefined) return `it is installed and its permissions are not granted; ${mend}`
  if (installed.manifest !== manifestHash(manifest)) return `its plugin.json is not the one that was installed; install it again`
  const wider = ungranted(installed, manifest)
  return wider.length === 0 ? undefined : `this version reaches for more than was granted (${wider.join('; ')}); ${mend}`
}
