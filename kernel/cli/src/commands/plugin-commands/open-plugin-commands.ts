import type { PluginFaults } from '@agent-service/kernel-core/plugins/start'
import type { Disposer, ServiceError } from '@agent-service/sdk'
import type { Command } from 'commander'
import type { Terminal } from '../../terminal/terminal.js'
import type { ProgramContext } from '../command-action.js'
import { exitStatus } from '../exit-status.js'

/** The commands of plugins that were added to the program. */
export interface OpenedCommands {
  /** A line for each missing command, with the reason. */
  readonly notes: readonly string[]
  stop(): Promise<void>
}

const helpWords: ReadonlySet<string | undefined> = new Set([undefined, 'help', '--help', '-h'])

/**
 * Adds the commands of plugins if the call may be for one of them: no plugin code runs for a
 * command of the program itself. While the configuration is invalid, only commands of built-in
 * plugins are added, and the help says so.
 * @throws `configuration_invalid` for any other word.
 */
export async function openPluginCommands(
  argv: readonly string[],
  program: Command,
  context: ProgramContext,
): Promise<OpenedCommands | undefined> {
  const [word] = argv
  const asksForHelp = helpWords.has(word)
  if (!asksForHelp && (word?.startsWith('-') === true || program.commands.some((command) => command.name() === word))) return undefined
  const [{ startPlugins }, { addPluginCommands }] = await Promise.all([import('./start-plugins.js'), import('./add-plugin-commands.js')])
  const { plugins, invalid } = await startPlugins(context, asksForHelp ? undefined : word)
  const unwatch = watchPluginFaults(plugins.faults, context.terminal)
  const stop = async (): Promise<void> => {
    await plugins.stop()
    await unwatch()
  }
  const notes = addPluginCommands(program, context, plugins)
  if (invalid && !asksForHelp && program.commands.every((command) => command.name() !== word)) {
    await stop()
    context.terminal.problem(`“${word}” is not a built-in command, and the commands of plugins could not be loaded:`)
    throw invalid
  }
  const unknown = invalid ? ['The commands of plugins could not be loaded:', ...linesOf(invalid)] : []
  if (notes.length + unknown.length > 0) program.addHelpText('after', ['', ...notes, ...unknown].join('\n'))
  return { notes, stop }
}

const linesOf = ({ message, problems }: ServiceError): readonly string[] =>
  [message, ...problems.map((problem) => `${problem.path}: ${problem.message}`)].map((line) => `  ${line}`)

/** Ends the program at an uncaught error, with one line and without a stack. */
function watchPluginFaults(faults: PluginFaults, terminal: Terminal): Disposer {
  const end = (whose: string, error: unknown): never => {
    terminal.problem(`Uncaught error${whose}: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(exitStatus.failed)
  }
  return faults.watch({
    onFault: ({ pluginId, error }) => end(` of the plugin “${pluginId}”`, error),
    onLeft: ({ pluginId, error }) => end(` of the plugin “${pluginId}”`, error),
    onUnowned: (error) => end('', error),
  })
}
