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
}

export type DiscoveredPlugin = ValidPlugin | InvalidPlugin

/** A plugin that cannot be used for these reasons, although its manifest is valid. */
export function refuse(plugin: ValidPlugin, ...reasons: readonly string[]): InvalidPlugin {
  const { manifest: _manifest, folder: _folder, entryPath: _entryPath, notGranted: _notGranted, ...origin } = plugin
  return { ...origin, status: 'invalid', reason: reasons.join('; '), problems: reasons }
}

export const discoveredPluginsToken: InjectionToken<readonly DiscoveredPlugin[]> = Symbol('discovered-plugins')
