import type { DiscoveredPlugin, ValidPlugin } from '@agent-service/kernel-core/plugins'
import type { PluginManifestFile } from '@agent-service/sdk'

/** Whether the configuration rules of a third party's plugin, which are code, may run. */
export type RuleConsent = (plugin: ValidPlugin) => boolean

export interface RuleGates {
  /** Default: every plugin that is granted or named in `plugins.sources`. */
  readonly consent?: RuleConsent
  /** Whether an administrator has switched a plugin off. Default: false. */
  readonly isOff?: (id: string) => boolean
}

interface ExaminedManifest {
  readonly manifest: PluginManifestFile
  readonly folder: string
  readonly thirdParty?: boolean
  readonly rulesHeldBack?: boolean
}

/**
 * The valid manifests for the examination of the configuration, as data. Rules stay in a manifest
 * only if they may run: those of built-in plugins, and those of a third party that is granted, not
 * switched off and has consent.
 */
export const examinedManifests = (
  discovered: readonly DiscoveredPlugin[],
  { consent = () => true, isOff = () => false }: RuleGates = {},
): readonly ExaminedManifest[] =>
  discovered.flatMap((plugin): readonly ExaminedManifest[] => {
    if (plugin.status === 'invalid') return []
    const { manifest, folder, notGranted, builtIn, id } = plugin
    if (builtIn) return [{ manifest, folder, thirdParty: false }]
    const { rules, ...rest } = manifest
    if (notGranted !== undefined) return [{ manifest: rest, folder }]
    if (rules === undefined || (!isOff(id) && consent(plugin))) return [{ manifest, folder, thirdParty: true }]
    return [{ manifest: rest, folder, thirdParty: true, rulesHeldBack: !isOff(id) }]
  })
