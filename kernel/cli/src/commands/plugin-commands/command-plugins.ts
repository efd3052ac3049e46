import type { Redactor } from '@agent-service/kernel-core/log'
import {
  type DiscoveredPlugin,
  type PluginEnvironment,
  serviceUnavailableError,
  type ValidPlugin,
} from '@agent-service/kernel-core/plugins'
import { ContributionRegistry, contractPoints } from '@agent-service/kernel-core/plugins/contributions'
import { createPluginFaults, type PluginFaults, ServiceRegistry, startPlugin } from '@agent-service/kernel-core/plugins/start'
import { type Logger, type PluginManifestFile, ServiceError } from '@agent-service/sdk'
import { type CliCommand, cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { createDisposableScope, createStoppingHooks } from '@agent-service/sdk/host'
import { type Clock, clockService } from '@agent-service/sdk/services/clock'

const setupMs = 5_000
const disposerMs = 2_000

/** A command and its plugin. */
export interface PluginCommand {
  readonly pluginId: string
  readonly builtIn: boolean
  readonly command: CliCommand
}

/** A plugin whose commands are missing, with the reason. */
export interface MissingCommands {
  readonly pluginId: string
  readonly reason: string
}

/** Plugins that were started for their commands alone. */
export interface CommandPlugins {
  /** In order of name. */
  readonly commands: readonly PluginCommand[]
  readonly missing: readonly MissingCommands[]
  /** Runs their code. */
  readonly faults: PluginFaults
  stop(): Promise<void>
}

/** What is needed to start them. */
export interface CommandPluginsOptions {
  readonly discovered: readonly DiscoveredPlugin[]
  /** Whether the configuration or an administrator has switched a plugin off. */
  readonly isOff: (id: string) => boolean
  readonly clock: Clock
  readonly log: Logger
  readonly redactor: Redactor
  readonly configurationOf: (manifest: PluginManifestFile) => unknown
}

/**
 * Starts the enabled plugins whose manifests list `cli.command`, in the process of the command
 * line. They get the clock and no other service; their routes, jobs and other contributions have no
 * effect here. One that fails is listed in `missing`.
 */
export async function startCommandPlugins(options: CommandPluginsOptions): Promise<CommandPlugins> {
  const { discovered, isOff, clock, log, redactor } = options
  const faults = createPluginFaults()
  const contributions = new ContributionRegistry(clock, log)
  const nothing = { add: () => () => undefined }
  const routes = {
    ...{ ...nothing, addWebSocket: nothing.add, addSite: nothing.add, addErrorFormat: nothing.add },
    list: () => [],
  }
  const environment: PluginEnvironment = {
    ...{ clock, log, redactor, faults, contributions, routes },
    knownPoints: contractPoints,
    limits: { setupMs, databaseMs: 0, drainMs: 0, disposerMs, graceMs: 0 },
    configurationOf: options.configurationOf,
  }
  const wanted = discovered.filter(
    (plugin): plugin is ValidPlugin =>
      plugin.status === 'valid' && plugin.notGranted === undefined && hasCommands(plugin) && !isOff(plugin.id),
  )

  const builtIn = new Set(wanted.filter((plugin) => plugin.builtIn).map(({ id }) => id))
  const scope = createDisposableScope({ name: 'commands', disposerLimitMs: disposerMs })
  const missing: MissingCommands[] = []
  // The timers of a setup's limits do not keep the process alive.
  const alive = setInterval(() => undefined, setupMs)
  try {
    // One after the other, so that a name claimed twice always goes to the same plugin: built-in
    // plugins come first.
    for (const plugin of [...wanted.filter(({ builtIn }) => builtIn), ...wanted.filter(({ builtIn }) => !builtIn)]) {
      const own = scope.child(plugin.id)
      try {
        await startPlugin({
          plugin,
          environment,
          services: new ServiceRegistry(),
          scope: own,
          stopping: createStoppingHooks(own),
          surroundings: undefined,
          onFault: ({ error, place }) => log.error('A command of the plugin broke its contract', { plugin: plugin.id, place, error }),
        })
      } catch (error) {
        await own.dispose(error)
        missing.push({ pluginId: plugin.id, reason: redactor.text(reasonOf(error)) })
      }
    }
  } finally {
    clearInterval(alive)
  }
  return {
    commands: contributions.list(cliCommands).map(({ pluginId, value }) => ({ pluginId, builtIn: builtIn.has(pluginId), command: value })),
    missing: [...unusable(discovered), ...missing],
    faults,
    async stop() {
      for (const error of await scope.dispose()) log.error('Undoing failed while a plugin stopped', { error })
    },
  }
}

const hasCommands = ({ manifest }: ValidPlugin): boolean =>
  manifest.stage !== 'declared' && manifest.contributes?.includes(cliCommands.id) === true

/** The contributions of a plugin that cannot be read are unknown, so it may have the command. */
const unusable = (discovered: readonly DiscoveredPlugin[]): readonly MissingCommands[] =>
  discovered.flatMap((plugin) => (plugin.status === 'invalid' ? [{ pluginId: plugin.id, reason: plugin.reason }] : []))

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return ServiceError.isInstance(error) ? error.message : String(error)
  if (!serviceUnavailableError.isInstance(error.cause)) return error.message
  return `${error.message}. Commands are set up outside the service, with ${clockService.id} alone: put them into a plugin of their own`
}
