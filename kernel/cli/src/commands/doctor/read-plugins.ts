import { importFile } from '@agent-service/kernel-core/modules'
import type { ValidPlugin } from '@agent-service/kernel-core/plugins'
import type { Plugin } from '@agent-service/sdk'
import { codeLines, guardProcess, messageOf, pluginOfModule, restoreIntrinsics } from '@agent-service/sdk/host'
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
      const read = await readCode(plugin, plugin.entryPath)
      if ('reason' in read) broken.push({ id: plugin.id, reason: read.reason })
      else collections.push(...read.code.collections)
    }
  }
  return { collections, broken }
}

/** The code of a plugin, or why a start would refuse it before its setup. */
async function readCode(plugin: ValidPlugin, entryPath: string): Promise<{ readonly code: Plugin } | { readonly reason: string }> {
  const endGuard = guardProcess(() => plugin.id)
  try {
    const module = await importFile(entryPath)
    const changes = plugin.builtIn ? [] : restoreIntrinsics()
    if (changes.length > 0) return { reason: changes.join('; ') }
    const exported = pluginOfModule(module, entryPath)
    if ('reason' in exported) return exported
    const lines = codeLines(plugin, exported.code, plugin.manifest)
    return lines.length > 0 ? { reason: lines.join('; ') } : exported
  } catch (error) {
    return { reason: `importing ${entryPath} failed: ${messageOf(error)}` }
  } finally {
    endGuard()
  }
}
