import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { discoverPlugins } from '@agent-service/kernel-core/plugins'
import type { SetupTrial } from '@agent-service/sdk/author'
import type { Invocation } from '../invocation.js'

/** Whether this service would load the plugin in a folder. */
export interface FolderVerdict {
  readonly id: string
  readonly version: string
  /** Why it would not be loaded. Empty if it would. */
  readonly problems: readonly string[]
  /**
   * Whether `setup` ran with stand-in services, or why not; absent if it failed or a problem came
   * first.
   */
  readonly setup?: SetupTrial
}

/** Where a folder is validated. */
export interface FolderPlace extends Pick<Invocation, 'workingDirectory' | 'installation'> {
  /** Settings for `setup`; absent: those of the manifest. */
  readonly settingsFile?: string | undefined
}

/**
 * Reads a plugin as the service would do beside its built-in ones, imports its code, runs `setup`
 * with stand-in services and checks its contributions.
 */
export async function validateFolder(
  folder: string,
  { workingDirectory, installation, settingsFile }: FolderPlace,
): Promise<FolderVerdict> {
  const wanted = path.resolve(workingDirectory, folder)
  const root = await realpath(wanted).catch(() => wanted)
  const { builtInFolder, installFolder } = installation
  const discovered = await discoverPlugins({ builtInFolder, installFolder, sources: [root] })
  const plugin = discovered.find((candidate) => candidate.root === root) ?? discovered.find((candidate) => candidate.source === root)
  if (plugin?.status !== 'valid') {
    const { id, version, problems } = plugin ?? { id: path.basename(root), version: 'unknown', problems: ['it is not a plugin'] }
    return { id, version, problems }
  }
  const { id, version, manifest, entryPath } = plugin
  const { examinePlugin } = await import('@agent-service/sdk/author')
  const settings = settingsFile === undefined ? undefined : path.resolve(workingDirectory, settingsFile)
  return { id, version, ...(await examinePlugin({ manifest, entryPath, settingsFile: settings })) }
}
