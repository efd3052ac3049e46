import { type Configuration, loadConfiguration } from '../config/index.js'
import { createLog, createRedactor, type Log, type Redactor } from '../log/index.js'
import { type DiscoveredPlugin, discoverPlugins } from '../plugins/index.js'
import type { KernelOptions } from './kernel-options.js'

/** What is there before anything is opened: the configuration, the plugins' manifests, the log. */
export interface Prepared {
  readonly configuration: Configuration
  readonly discovered: readonly DiscoveredPlugin[]
  readonly log: Log
  readonly redactor: Redactor
}

/**
 * Reads configuration and manifests; opens nothing, runs no plugin. `config check` needs no more.
 * @throws `configuration_invalid` with every problem at once.
 */
export async function prepare(
  options: Pick<
    KernelOptions,
    'environment' | 'workingDirectory' | 'installedResources' | 'builtInFolder' | 'installFolder' | 'log' | 'systemZone'
  >,
): Promise<Prepared> {
  const { environment, workingDirectory, installedResources, builtInFolder, installFolder } = options
  const draft = await loadConfiguration({
    environment,
    workingDirectory,
    installedResources,
    ...(options.systemZone === undefined ? {} : { systemZone: options.systemZone }),
  })
  const discovered = await discoverPlugins({ builtInFolder, installFolder, sources: draft.kernel.plugins.sources })
  const configuration = await draft.complete(
    discovered.flatMap((plugin) => (plugin.status === 'valid' ? [{ manifest: plugin.manifest, folder: plugin.folder }] : [])),
  )
  const redactor = createRedactor({ pinned: configuration.secrets })
  const log = createLog({ redactor, level: configuration.server.log_level, ...options.log })
  return { configuration, discovered, log, redactor }
}
