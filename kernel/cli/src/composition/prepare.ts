import { type Configuration, configurationFrom, type Examination, secretsOf } from '@agent-service/kernel-core/config'
import { examineInstallation, type InstallationOptions } from '@agent-service/kernel-core/installation'
import { createLog, createRedactor, type Log, type Redactor, redactError } from '@agent-service/kernel-core/log'
import { createRuledPlugins, type DiscoveredPlugin, type RuledPlugins } from '@agent-service/kernel-core/plugins'
import type { KernelOptions } from './kernel-options.js'

/** What is there before anything is opened: the configuration, the plugins' manifests, the log. */
export interface Prepared {
  readonly configuration: Configuration
  /** What the configuration was made from: for those who show where its values come from. */
  readonly examination: Examination
  readonly discovered: readonly DiscoveredPlugin[]
  /** Whether an administrator had switched a plugin off. */
  readonly isOff: (id: string) => boolean
  /** The plugins whose rules the configuration was held against. */
  readonly ruled: RuledPlugins
  readonly log: Log
  readonly redactor: Redactor
}

/**
 * Reads configuration and manifests; opens nothing, and of plugins runs the configuration rules alone.
 * @throws `configuration_invalid` with every problem at once.
 */
export async function prepare(options: InstallationOptions & Pick<KernelOptions, 'log'>): Promise<Prepared> {
  const { examination, discovered, isOff } = await examineInstallation(options)
  const redactor = createRedactor({ pinned: secretsOf(examination) })
  const configuration = await configurationFrom(examination, options.systemZone).catch((error: unknown) => {
    throw redactError(error, redactor)
  })
  const log = createLog({ redactor, level: configuration.server.log_level, ...options.log })
  const ran = discovered.filter(({ builtIn, id }) => builtIn || (!isOff(id) && !configuration.plugins.disabled.includes(id)))
  return { configuration, examination, discovered, isOff, ruled: createRuledPlugins(ran), log, redactor }
}
