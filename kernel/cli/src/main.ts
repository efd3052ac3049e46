import 'reflect-metadata'
import type { Environment } from '@agent-service/kernel-core/config'
import { importFromBundle } from '@agent-service/kernel-core/modules'
import { ServiceError } from '@agent-service/sdk'
import { CommanderError } from 'commander'
import { exitStatus } from './commands/exit-status.js'
import { findInstallation } from './commands/installation.js'
import { type OpenedCommands, openPluginCommands } from './commands/plugin-commands/open-plugin-commands.js'
import { processTerminal, type Terminal } from './commands/terminal.js'
import { createProgram } from './program.js'

/** Where the command line runs; this process, unless it is told otherwise. */
export interface MainOptions {
  readonly terminal: Terminal
  readonly environment: Environment
  readonly workingDirectory: string
  /** The files of the bundle that stand in for those of plugins, where the program runs from it. Default: none. */
  readonly bundledEntries: ReadonlyMap<string, string>
}

/** Runs the command line. Resolves to the exit status; what went wrong has been reported on the terminal. */
export async function main(argv: readonly string[], options: Partial<MainOptions> = {}): Promise<number> {
  const own = processTerminal()
  const { terminal = own, environment = process.env, workingDirectory = process.cwd() } = options
  if (options.bundledEntries) importFromBundle(options.bundledEntries)
  let status: number = exitStatus.done
  const context = {
    ...{ terminal, environment, workingDirectory, installation: findInstallation() },
    setStatus(value: number) {
      status = value
    },
  }
  const program = createProgram(context)
  let ofPlugins: OpenedCommands | undefined
  try {
    ofPlugins = await openPluginCommands(argv, program, context)
    await program.parseAsync([...argv], { from: 'user' })
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportError(error, (line) => terminal.problem(line))
    if (error.code === 'commander.unknownCommand') for (const note of ofPlugins?.notes ?? []) terminal.problem(note)
    return error.exitCode === 0 ? exitStatus.done : exitStatus.usage
  } finally {
    own.close()
    await ofPlugins?.stop()
  }
}

/** The configuration, as it is or would be, is in the way. */
const ofConfiguration: ReadonlySet<string> = new Set([
  'configuration_invalid',
  'configuration_patch_invalid',
  'configuration_demo_in_production',
])

/** Writes an error for a person and gives the exit status that it ends the command with. */
function reportError(error: unknown, line: (text: string) => void): number {
  if (ServiceError.isInstance(error)) {
    line(error.message)
    // The message of an invalid configuration has them already.
    for (const { path, message } of error.problems) if (!error.message.includes(message)) line(`  ${path}: ${message}`)
    return ofConfiguration.has(error.code) ? exitStatus.configuration : exitStatus.failed
  }
  line(error instanceof Error ? error.message : String(error))
  return exitStatus.failed
}
