import { type Configuration, configurationFrom, type Examination, secretsOf } from '@agent-service/kernel-core/config'
import { createLog, createRedactor, type Log, type Redactor, redactError } from '@agent-service/kernel-core/log'
import type { DiscoveredPlugin } from '@agent-service/kernel-core/plugins'
import { createRecentLines, type RecentLines } from '@agent-service/kernel-services/recent-log'
import { examineInstallation, type InstallationOptions } from '@agent-service/kernel-settings/installation'
import type { KernelOptions } from './kernel-options.js'
import { createRuledPlugins, type RuledPlugins } from './ruled-plugins.js'

/** What is read before anything is opened: the configuration, the plugins' manifests, the log. */
export interface Prepared {
  readonly configuration: Configuration
  /** What the configuration was made from: shows where its values come from. */
  readonly examination: Examination
  readonly discovered: readonly DiscoveredPlugin[]
  /** Whether an admin has disabled a plugin. */
  readonly isOff: (id: string) => boolean
  /** The plugins by whose rules the configuration was checked. */
  readonly ruled: RuledPlugins
  readonly log: Log
  /** What the log has written last. */
  readonly recentLines: RecentLines
  readonly redactor: Redactor
}

/**
 * Reads configuration and manifests. Opens nothing, and of plugins runs only the configuration
 * rules.
 * @throws `configuration_invalid` with every problem at once.
 */
export async function prepare(options: InstallationOptions & Pick<KernelOptions, 'log'>): Promise<Prepared> {
  const { examination, discovered, isOff } = await examineInstallation(options)
  const redactor = createRedactor({ pinned: secretsOf(examination) })
  const configuration = await configurationFrom(examination, options.systemZone).catch((error: unknown) => {
    throw redactError(error, redactor)
  })
  const recentLines = createRecentLines()
  const level = configuration.server.log_level
  const log = createLog({ redactor, level, onLine: (line) => recentLines.add(line), ...options.log })
  const ran = discovered.filter(({ builtIn, id }) => builtIn || (!isOff(id) && !configuration.plugins.disabled.includes(id)))
  return { configuration, examination, discovered, isOff, ruled: createRuledPlugins(ran), log, recentLines, redactor }
}
