import type { PluginManifestFile } from '@agent-service/sdk'
import type { InjectionToken } from 'tsyringe'

export interface PluginOrigin {
  /** The manifest's id, or the folder's name if the manifest has none. */
  readonly id: string
  readonly version: string
  /** `built-in`, the name of an npm package, or an absolute folder, as in the configuration. */
  readonly source: string
  readonly builtIn: boolean
  /** The folder of its package.json, links resolved. */
  readonly root: string
  /** When it was installed by command; absent for built-in plugins and those of `plugins.sources`. */
  readonly installedAt?: string
  /** Its place among the third parties, by the time since which they are there; the first has 0. */
  readonly place?: number
}

/** A plugin whose manifest is valid and whose files passed the checks. */
export interface ValidPlugin extends PluginOrigin {
  readonly status: 'valid'
  readonly manifest: PluginManifestFile
  /** The folder of `plugin.json`: paths in the manifest are relative to it. */
  readonly folder: string
  /** The module to import; absent in stage `declared`. */
  readonly entryPath?: string
  /**
   * Why it may not run although it could: it is installed, but the access that it asks for is not
   * granted.
   */
  readonly notGranted?: string
}

/** A folder that is or should be a plugin but cannot be used. */
export interface InvalidPlugin extends PluginOrigin {
  readonly status: 'invalid'
  /** What a person can act on, in one text. */
  readonly reason: string
  /** Every reason, one line each. */
  readonly problems: readonly string[]
  /**
   * Nothing says which plugin it is: its folder or its manifest cannot be read. `id` is then the name of
   * its folder or source. Never of a built-in plugin, whose folder has its id.
   */
  readonly unidentified?: true
}

export type DiscoveredPlugin = ValidPlugin | InvalidPlugin

/** An entry of `plugins.sources` of which nothing says which plugin it is. */
export interface UnreadSource {
  readonly source: string
  /** Why it cannot be read. */
  readonly reason: string
}

/** While there are any, a plugin that is not among the discovered ones may be in one of them. */
export const unreadSources = (discovered: readonly DiscoveredPlugin[]): readonly UnreadSource[] =>
  discovered.flatMap((plugin) =>
    plugin.status === 'invalid' && plugin.unidentified === true ? [{ source: plugin.source, reason: plugin.reason }] : [],
  )

/** A plugin that cannot be used for these reasons, although its manifest is valid. */
export function refuse(plugin: ValidPlugin, ...reasons: readonly string[]): InvalidPlugin {
  const { manifest: _manifest, folder: _folder, entryPath: _entryPath, notGranted: _notGranted, ...origin } = plugin
  return { ...origin, status: 'invalid', reason: reasons.join('; '), problems: reasons }
}

/** Whether a plugin keeps a name that another one claims too: built-in plugins come first, then the one that was there first. */
export function comesBefore(one: PluginOrigin, other: PluginOrigin): boolean {
  if (one.builtIn || other.builtIn) return one.builtIn && !other.builtIn
  return (one.place ?? Number.POSITIVE_INFINITY) < (other.place ?? Number.POSITIVE_INFINITY)
}

/** Built-in plugins, then the others in the order in which they came. */
export const inOrderOfClaims = <Plugin extends PluginOrigin>(plugins: readonly Plugin[]): readonly Plugin[] =>
  [...plugins].sort((one, other) => (comesBefore(one, other) ? -1 : comesBefore(other, one) ? 1 : 0))

export const discoveredPluginsToken: InjectionToken<readonly DiscoveredPlugin[]> = Symbol('discovered-plugins')
