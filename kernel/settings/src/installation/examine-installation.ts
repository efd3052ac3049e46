import path from 'node:path'
import {
  type ConfigurationDraft,
  type Environment,
  type Examination,
  loadConfiguration,
  writableFolders,
} from '@agent-service/kernel-core/config'
import { type DiscoveredPlugin, discoverPlugins } from '@agent-service/kernel-core/plugins'
import { installationFolder } from '@agent-service/kernel-core/plugins/installed'
import { readPluginOrder } from '@agent-service/kernel-core/plugins/seniority'
import { readSwitchedOff } from './read-switched-off.js'
import { examinedManifests, type RuleConsent } from './rule-consent.js'

/** The options that determine the configuration and the plugins of a service. */
export interface InstallationOptions {
  /** The environment variables, read once. */
  readonly environment: Environment
  /**
   * Absolute. Relative paths in the configuration are resolved against it. No code is ever loaded
   * from it.
   */
  readonly workingDirectory: string
  /** The folder `resources` that ships with the service; absolute. */
  readonly installedResources: string
  /** The folder whose subfolders are the built-in plugins; absolute. */
  readonly builtInFolder: string
  /**
   * The folder of the service's own code; npm packages in `plugins.sources` are resolved from it.
   */
  readonly installFolder: string
  /** The time zone of the system. Default: detected. */
  readonly systemZone?: string
}

/** Options of {@link examineInstallation}. */
export interface ExaminationOptions {
  /** Text that is examined instead of the configuration file. */
  readonly candidate?: string
  /** Which plugins' rules may run. Default: those of every plugin that a start would run. */
  readonly consent?: RuleConsent
}

/** The current configuration and plugins of an installation. */
export interface ExaminedInstallation {
  readonly examination: Examination
  readonly discovered: readonly DiscoveredPlugin[]
  /** Whether an administrator has switched off a plugin. */
  readonly isOff: (id: string) => boolean
}

/**
 * Reads the configuration and the manifests, and reports every problem. Opens nothing and runs no
 * plugin.
 * @throws `configuration_invalid` if the file cannot be read or parsed
 */
export async function examineInstallation(
  options: InstallationOptions,
  { candidate, consent }: ExaminationOptions = {},
): Promise<ExaminedInstallation> {
  const draft = await loadConfiguration({ ...options, ...(candidate === undefined ? {} : { candidate }) })
  const discovered = await discoverFor(options, draft, writableIn(draft))
  const isOff = await switchedOffIn(draft)
  const examination = await draft.examine(examinedManifests(discovered, { isOff, ...(consent === undefined ? {} : { consent }) }))
  return { examination, discovered, isOff }
}

/**
 * The plugins of a configuration, read only as data. A plugin in a writable folder is refused
 * before it is read.
 */
export async function discoverFor(
  { builtInFolder, installFolder, environment, workingDirectory }: InstallationOptions,
  draft: ConfigurationDraft,
  writable: readonly string[],
): Promise<readonly DiscoveredPlugin[]> {
  const { kernel, serverDataDir } = draft
  return discoverPlugins({
    ...{ builtInFolder, installFolder },
    sources: kernel.plugins.sources,
    writableFolders: [...new Set(writable)],
    installedFolder: installationFolder(environment, { workingDirectory, serverDataDir }),
    order: await readPluginOrder(systemFolder(draft)),
  })
}

/** The folder of the state documents. */
const systemFolder = ({ kernel }: ConfigurationDraft): string => path.join(kernel.storage.data_dir, 'system')

/** The folders that a service with this configuration writes to. */
export const writableIn = ({ kernel, serverDataDir }: Pick<ConfigurationDraft, 'kernel' | 'serverDataDir'>): readonly string[] =>
  writableFolders(kernel, serverDataDir).map(({ folder }) => folder)

export const switchedOffIn = (draft: ConfigurationDraft): Promise<(id: string) => boolean> => readSwitchedOff(systemFolder(draft))
