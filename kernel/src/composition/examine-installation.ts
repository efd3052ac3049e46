import { type Examination, loadConfiguration } from '../config/index.js'
import { type DiscoveredPlugin, discoverPlugins, examinedManifests } from '../plugins/index.js'
import { installationFolder } from '../plugins/installed/index.js'
import type { KernelOptions } from './kernel-options.js'

/** What an installation is examined with: the part of a kernel's options that decides what its configuration is. */
export type InstallationOptions = Pick<
  KernelOptions,
  'environment' | 'workingDirectory' | 'installedResources' | 'builtInFolder' | 'installFolder' | 'systemZone'
>

/** The configuration and the plugins of an installation as they are now. */
export interface ExaminedInstallation {
  readonly examination: Examination
  readonly discovered: readonly DiscoveredPlugin[]
}

/**
 * Reads configuration and manifests and says everything that is wrong; opens nothing, runs no plugin. `candidate` is text that is read in place
 * of what the file holds.
 * @throws `configuration_invalid` when the file cannot be read or parsed.
 */
export async function examineInstallation(options: InstallationOptions, candidate?: string): Promise<ExaminedInstallation> {
  const { environment, workingDirectory, installedResources, builtInFolder, installFolder, systemZone } = options
  const draft = await loadConfiguration({
    ...{ environment, workingDirectory, installedResources },
    ...(systemZone === undefined ? {} : { systemZone }),
    ...(candidate === undefined ? {} : { candidate }),
  })
  const discovered = await discoverPlugins({
    ...{ builtInFolder, installFolder },
    sources: draft.kernel.plugins.sources,
    dataFolder: draft.kernel.storage.data_dir,
    installedFolder: installationFolder(environment, { workingDirectory, serverDataDir: draft.serverDataDir }),
  })
  const examination = await draft.examine(examinedManifests(discovered))
  return { examination, discovered }
}
