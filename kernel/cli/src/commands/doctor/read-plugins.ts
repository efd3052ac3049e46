import { importFile } from '@agent-service/kernel-core/modules'
import type { ValidPlugin } from '@agent-service/kernel-core/plugins'
import { isPlugin } from '@agent-service/sdk/host'
import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import type { Prepared } from '../../composition/prepare.js'

/** What the plugins of an installation say and have. */
export interface PluginsRead {
  readonly collections: readonly CollectionDefinition[]
  /** The plugins that are not usable. */
  readonly broken: readonly { readonly id: string; readonly reason: string }[]
}

/**
 * Reads the collections of the plugins that a start would run, from their code; nothing is set up.
 */
export async function readPlugins({ discovered, configuration, isOff }: Prepared): Promise<PluginsRead> {
  const runs = ({ id, notGranted }: ValidPlugin): boolean =>
    notGranted === undefined && !configuration.plugins.disabled.includes(id) && !isOff(id)
  const collections: CollectionDefinition[] = []
  const broken: { readonly id: string; readonly reason: string }[] = []
  for (const plugin of discovered) {
    if (plugin.status === 'invalid') broken.push({ id: plugin.id, reason: plugin.reason })
    else if (plugin.entryPath !== undefined && (plugin.builtIn || runs(plugin))) {
      try {
        const module = (await importFile(plugin.entryPath)) as { readonly default?: unknown }
        if (isPlugin(module.default)) collections.push(...module.default.collections)
      } catch (error) {
        broken.push({
          id: plugin.id,
          reason: `importing ${plugin.entryPath} failed: ${error instanceof Error ? error.message : String(error)}`,
        })
      }
    }
  }
  return { collections, broken }
}
