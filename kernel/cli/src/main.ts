import 'reflect-metadata'
import { homedir } from 'node:os'
import type { Environment } from '@agent-service/kernel-core/config'
import { importFromBundle } from '@agent-service/kernel-core/modules'
import { ServiceError } from '@agent-service/sdk'
import { CommanderError } from 'commander'
import { exitStatus } from './commands/exit-status.js'
import { findInstallation } from './commands/installation.js'
import { type OpenedCommands, openPluginCommands } from './commands/plugin-commands/open-plugin-commands.js'
import { endProcess, endProcessSoon } from './commands/process-end.js'
import type { LoadedCode } from './composition/kernel-options.js'
import { createProgram } from './program.js'
import { processTerminal } from './terminal/process-terminal.js'
import type { Terminal } from './terminal/terminal.js'

/** Where the command line runs. Default: this process. */
export interface MainOptions {
  readonly terminal: Terminal
  readonly environment: Environment
  readonly workingDirectory: string
  /**
   * The bundle that this program was loaded from, with the bundled files that replace those of
   * plugins; or why it was loaded from single files instead. Default: single files, without a reason.
   */
  readonly bundle: { readonly entries: ReadonlyMap<string, string> } | { readonly reason: string }
}

/**
 * Runs the command line as this process and ends it with the exit status. A service has written its
 * log by then; what another command printed may take a moment.
 */
export async function runProgram(argv: readonly string[], options: Partial<MainOptions> = {}): Promise<void> {
  const status = await main(argv, options)
  if (argv[0] === 'start') endProcess(status)
  endProcessSoon(status)
}

/** Runs the command line. Resolves to the exit status; errors have been printed on the terminal. */
export async function main(argv: readonly string[], options: Partial<MainOptions> = {}): Promise<number> {
  const { environment = process.env, workingDirectory = process.cwd() } = options
  const terminal: Terminal & { close?(): void } = options.terminal ?? processTerminal(environment)
  const { bundle } = options
  giveHomeFolder()
  if (bundle && 'entries' in bundle) importFromBundle(bundle.entries)
  let status: number = exitStatus.done
  const context = {
    terminal,
    environment,
    workingDirectory,
    installation: { ...findInstallation(), ...(bundle && { code: loadedCodeOf(bundle) }) },
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
    terminal.close?.()
    await ofPlugins?.stop()
  }
}

/**
 * Node.js and what programs below the service use cannot name a home folder if `HOME` is not set and the user is not in
 * `/etc/passwd`, as in containers that run under any user id: asking throws. Such a user gets `/`, as from Docker.
 */
function giveHomeFolder(): void {
  try {
    homedir()
  } catch {
    process.env['HOME'] = '/'
  }
}

const loadedCodeOf = (bundle: MainOptions['bundle']): LoadedCode =>
  'entries' in bundle ? { from: 'bundle' } : { from: 'single_files', reason: bundle.reason }

/** Errors of the configuration as it is, or as a change would make it. */
const ofConfiguration: ReadonlySet<string> = new Set([
  'configuration_invalid',
  'configuration_patch_invalid',
  'configuration_demo_in_production',
])

/** Prints an error for a person and returns the exit status of the command. */
function reportError(error: unknown, line: (text: string) => void): number {
  if (ServiceError.isInstance(error)) {
    line(error.message)
    // The message of an invalid configuration already contains them.
    for (const { path, message } of error.problems) if (!error.message.includes(message)) line(`  ${path}: ${message}`)
    return ofConfiguration.has(error.code) ? exitStatus.configuration : exitStatus.failed
  }
  line(error instanceof Error ? error.message : String(error))
  return exitStatus.failed
}
