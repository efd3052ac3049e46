import type { PluginFaults } from '@agent-service/kernel-core/plugins/start'
import { type CliCommand, cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { type ContributorsOptions, type MissingContributions, startContributors } from './contributors.js'

/** A command and its plugin. */
export interface PluginCommand {
  readonly pluginId: string
  readonly builtIn: boolean
  /** Of two plugins whose commands exclude each other, the one with the lower rank stays. */
  readonly rank: number
  readonly command: CliCommand
}

/** Plugins that were started for their commands alone. */
export interface CommandPlugins {
  /** In order of name. */
  readonly commands: readonly PluginCommand[]
  readonly missing: readonly MissingContributions[]
  /** Runs their code. */
  readonly faults: PluginFaults
  stop(): Promise<void>
}

/** Starts the enabled plugins that have commands. */
export async function startCommandPlugins(options: ContributorsOptions): Promise<CommandPlugins> {
  const { contributions, ...started } = await startContributors(cliCommands, options)
  return { ...started, commands: contributions.map(({ value, ...owner }) => ({ ...owner, command: value })) }
}
