import type { PluginFaults } from '@agent-service/kernel-core/plugins/start'
import { type JsonValue, ServiceError } from '@agent-service/sdk'
import { messageOf } from '@agent-service/sdk/host'
import { exitStatus } from '../exit-status.js'
import { watchForCommandEnd } from './command-end.js'
import type { PluginCommand } from './command-plugins.js'
import { type CommandInput, createCommandContext } from './create-command-context.js'
import { createJsonOutput } from './json-output.js'

/** One call of a command. */
export interface PluginCommandCall extends CommandInput {
  readonly found: PluginCommand
  readonly faults: PluginFaults
}

/**
 * Runs a command of a plugin. Resolves to 0 or 1; errors have been printed, with the plugin's name
 * unless it is built in.
 */
export async function runPluginCommand(call: PluginCommandCall): Promise<number> {
  const { terminal, found, faults, json } = call
  const { pluginId, builtIn, command } = found
  const end = watchForCommandEnd()
  // The reader has what it wanted, and there is no one left to work for.
  terminal.onClosed(() => process.exit(exitStatus.done))
  try {
    const output = createJsonOutput(terminal)
    const context = createCommandContext(call, end, output)
    const work = faults.run(pluginId, async () => command.run(context))
    const result = checkResult(await Promise.race([work, end.overdue]))
    if (json) output.result(result.json)
    return result.status
  } catch (error) {
    terminal.problem(builtIn ? messageOf(error) : `“${command.name}” of the plugin “${pluginId}” failed: ${messageOf(error)}`)
    if (ServiceError.isInstance(error)) for (const { path, message } of error.problems) terminal.problem(`  ${path}: ${message}`)
    return exitStatus.failed
  } finally {
    end.close()
  }
}

/** @throws if the result does not follow the contract. */
function checkResult(result: unknown): { readonly status: 0 | 1; readonly json: JsonValue } {
  const { status, json = null } = (typeof result === 'object' && result !== null ? result : {}) as {
    readonly status?: unknown
    readonly json?: JsonValue
  }
  if (status !== exitStatus.done && status !== exitStatus.failed) {
    throw new Error(`it ended with ${describe(result, status)} instead of { status: 0 } or { status: 1 }`)
  }
  if (JSON.stringify(json) === undefined) throw new Error('it ended with a “json” that is not a JSON value')
  return { status, json }
}

const describe = (result: unknown, status: unknown): string =>
  typeof result === 'object' && result !== null ? `the status ${String(status)}` : String(result)
