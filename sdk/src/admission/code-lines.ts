import { compareManifests } from '../manifest/compare-manifests.js'
import type { PluginManifestFile } from '../manifest/plugin-manifest.js'
import { isPlugin, type Plugin } from '../plugin/define-plugin.js'
import { foreignCollectionLines, type NamedPlugin } from './own-names.js'

/** The plugin that a module exports by default, or why it is none. */
export function pluginOfModule(module: unknown, entryPath: string): { readonly code: Plugin } | { readonly reason: string } {
  const code = typeof module === 'object' && module !== null ? (module as { readonly default?: unknown }).default : undefined
  if (isPlugin(code)) return { code }
  return { reason: `${entryPath} has no plugin as its default export; write: export default definePlugin({ … })` }
}

/** What the host refuses in a plugin's code before it runs `setup`, one line for each fault. */
export function codeLines(plugin: NamedPlugin, code: Plugin, file: PluginManifestFile): readonly string[] {
  const differing = compareManifests(code.manifest, file)
  return [
    ...(differing.length === 0
      ? []
      : [`the code and plugin.json differ in ${differing.join(', ')}. Run the plugin's build again (agent-service-plugin build)`]),
    ...foreignCollectionLines(plugin, code.collections),
  ]
}
