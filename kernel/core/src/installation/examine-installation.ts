import path from 'node:path'
import { type ConfigurationDraft, type Environment, type Examination, loadConfiguration, writableFolders } from '../config/index.js'
import { type DiscoveredPlugin, discoverPlugins, examinedManifests, type RuleConsent, readSwitchedOff } from '../plugins/index.js'
import { installationFolder } from '../plugins/installed/index.js'

/** What decides which configuration and which plugins a service is started with. */
export interface InstallationOptions {
  /** The environment variables, read once. */
  readonly environment: Environment
  /** Absolute. Relative paths of the configuration start here. Nothing is ever loaded from it. */
  readonly workingDirectory: string
  /** The folder `resources` that ships with the service; absolute. */
  readonly installedResources: string
  /** The folder whose subfolders are the built-in plugins; absolute. */
  readonly builtInFolder: string
  /** The folder of the service's own code; npm packages in `plugins.sources` are found from here. */
  readonly installFolder: string
  /** The system's time zone, in place of asking the system. */
  readonly systemZone?: string
}

/** How an installation is looked at. */
export interface ExaminationWish {
  /** Text that is read in place of what the file holds. */
  readonly candidate?: string
  /** Whose rules may run. Default: those of every plugin that a start would run. */
  readonly consent?: RuleConsent
}

/** The configuration and the plugins of an installation as they are now. */
export interface ExaminedInstallation {
  readonly examination: Examination
  readonly discovered: readonly DiscoveredPlugin[]
  /** Whether an administrator had switched a plugin off. */
  readonly isOff: (id: string) => boolean
}

/**
 * Reads configuration and manifests and says everything that is wrong; opens nothing, runs no plugin.
 * @throws `configuration_invalid` when the file cannot be read or parsed.
 */
export async function examineInstallation(
  options: InstallationOptions,
  { candidate, consent }: ExaminationWish = {},
): Promise<ExaminedInstallation> {
  const draft = await loadConfiguration({ ...options, ...(candidate === undefined ? {} : { candidate }) })
  const discovered = await discoverFor(options, draft, writableIn(draft))
  const isOff = await switchedOffIn(draft)
  const examination = await draft.examine(examinedManifests(discovered, { isOff, ...(consent === undefined ? {} : { consent }) }))
  return { examination, discovered, isOff }
}

/** The plugins that a configuration leads to, read as data alone. One in a writable folder is refused before it is read. */
export const discoverFor = (
  { builtInFolder, installFolder, environment, workingDirectory }: InstallationOptions,
  { kernel, serverDataDir }: ConfigurationDraft,
  writable: readonly string[],
): Promise<readonly DiscoveredPlugin[]> =>
  discoverPlugins({
    ...{ builtInFolder, installFolder },
    sources: kernel.plugins.sources,
    writableFolders: [...new Set(writable)],
    installedFolder: installationFolder(environment, { workingDirectory, serverDataDir }),
  })

/** The folders that a service with this configuration writes to. */
export const writableIn = ({ kernel, serverDataDir }: Pick<ConfigurationDraft, 'kernel' | 'serverDataDir'>): readonly string[] =>
  writableFolders(kernel, serverDataDir).map(({ folder }) => folder)

export const switchedOffIn = ({ kernel }: ConfigurationDraft): Promise<(id: string) => boolean> =>
  readSwitchedOff(path.join(kernel.storage.data_dir, 'system'))
