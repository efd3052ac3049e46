import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { compareManifests, isPlugin } from '@agent-service/sdk/host'
import { importFile } from '../../modules/import-file.js'
import { discoverPlugins } from '../../plugins/index.js'
import { contractPoints, whyUnknown } from '../../plugins/lift-contribution.js'
import { foreignCollections } from '../../plugins/own-names.js'
import type { Place } from '../place.js'

/** What this service says of a plugin's folder. */
export interface FolderVerdict {
  readonly id: string
  readonly version: string
  /** Why it would not be loaded. Empty when it would. */
  readonly problems: readonly string[]
}

/** Reads a plugin as the service would beside its built-in ones, and imports its code; `setup` does not run. */
export async function validateFolder(
  folder: string,
  { workingDirectory, installation }: Pick<Place, 'workingDirectory' | 'installation'>,
): Promise<FolderVerdict> {
  const wanted = path.resolve(workingDirectory, folder)
  const root = await realpath(wanted).catch(() => wanted)
  const { builtInFolder, installFolder } = installation
  const discovered = await discoverPlugins({ builtInFolder, installFolder, sources: [root] })
  const plugin = discovered.find((candidate) => candidate.root === root) ?? discovered.find((candidate) => candidate.source === root)
  if (plugin?.status !== 'valid') {
    const { id, version, reason } = plugin ?? { id: path.basename(root), version: 'unknown', reason: 'it is no plugin' }
    return { id, version, problems: [reason] }
  }
  const { id, version, manifest, entryPath } = plugin
  const unknown = (manifest.contributes ?? []).filter((point) => !contractPoints.has(point))
  const problems = unknown.map((point) => whyUnknown(point, contractPoints))
  if (entryPath === undefined) return { id, version, problems }
  try {
    const code = ((await importFile(entryPath)) as { readonly default?: unknown }).default
    if (!isPlugin(code)) return { id, version, problems: [...problems, `${entryPath} has no plugin as its default export`] }
    const differing = compareManifests(code.manifest, manifest)
    const foreign = foreignCollections(plugin, code.collections)
    return {
      ...{ id, version },
      problems: [
        ...problems,
        ...(differing.length === 0 ? [] : [`the code and plugin.json differ in ${differing.join(', ')}; run its build again`]),
        ...foreign.map((name) => `the collection ${name} does not stand under the id of the plugin`),
      ],
    }
  } catch (error) {
    return {
      id,
      version,
      problems: [...problems, `importing ${entryPath} failed: ${error instanceof Error ? error.message : String(error)}`],
    }
  }
}
