import type { PluginManifestFile } from '@agent-service/sdk'
import { type InstalledPlugin, manifestHash } from './installed-plugins.js'

/**
 * Every access that a plugin's manifest asks for, one line each, for a person to grant. A manifest
 * is wider than another if it has a line that the other lacks.
 */
export function requestedAccess(manifest: PluginManifestFile): readonly string[] {
  const { contributes = [], provides = [], requires = [], optional = [], permissions = [] } = manifest
  const granted = permissions.flatMap(({ kind, targets = [], targetsFromConfiguration = [] }) => {
    const named = [...targets, ...targetsFromConfiguration.map((pointer) => `the address in the setting ${pointer}`)]
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

/** The access that a manifest asks for beyond the grant. All of it while nothing is granted. */
export function ungranted(installed: InstalledPlugin, manifest: PluginManifestFile): readonly string[] {
  const granted = new Set(installed.grant?.reaches)
  return requestedAccess(manifest).filter((reach) => !granted.has(reach))
}

/** Why an installed plugin may not run; `undefined` when it may. */
export function grantProblem(id: string, installed: InstalledPlugin, manifest: PluginManifestFile): string | undefined {
  const mend = `review it and run “agent-service plugins grant ${id}”`
  if (installed.grant === undefined) return `it is installed, but its permissions are not granted; ${mend}`
  if (installed.manifest !== manifestHash(manifest)) return `its plugin.json has changed since it was installed; install it again`
  const wider = ungranted(installed, manifest)
  return wider.length === 0 ? undefined : `this version asks for more than was granted (${wider.join('; ')}); ${mend}`
}
