import type { PluginCommand } from '@agent-service/kernel-core/plugins'
import type { PluginFaults } from '@agent-service/kernel-core/plugins/start'
import { type JsonValue, ServiceError } from '@agent-service/sdk'
import { exitStatus } from '../exit-status.js'
import { watchForCommandEnd } from './command-end.js'
import { type CommandInput, createCommandContext } from './create-command-context.js'

/** How long what a plugin left open may keep the process, in milliseconds. */
const lingerMs = 1_000

/** One call of a command. */
export interface PluginCommandCall extends CommandInput {
  readonly found: PluginCommand
  readonly faults: PluginFaults
}

/** Runs a command of a plugin. Resolves to 0 or 1; what goes wrong has been reported on the terminal, by name where the plugin is not built in. */
export async function runPluginCommand(call: PluginCommandCall): Promise<number> {
  const { terminal, found, faults, json } = call
  const { pluginId, builtIn, command } = found
  const end = watchForCommandEnd()
  try {
    const context = createCommandContext(call, end)
    const work = faults.run(pluginId, async () => command.run(context))
    const result = checkResult(await Promise.race([work, end.overdue]))
    if (json) terminal.line(result.text)
    return result.status
  } catch (error) {
    terminal.problem(builtIn ? messageOf(error) : `“${command.name}” of the plugin “${pluginId}” failed: ${messageOf(error)}`)
    if (ServiceError.isInstance(error)) for (const { path, message } of error.problems) terminal.problem(`  ${path}: ${message}`)
    return exitStatus.failed
  } finally {
    end.close()
    setTimeout(() => process.exit(), lingerMs).unref()
  }
}

/** @throws when it is not what the contract says. */
function checkResult(result: unknown): { readonly status: 0 | 1; readonly text: string } {
  const { status, json = null } = (typeof result === 'object' && result !== null ? result : {}) as {
    readonly status?: unknown
    readonly json?: JsonValue
  }
  if (status !== exitStatus.done && status !== exitStatus.failed) {
    throw new Error(`it ended with ${describe(result, status)} where { status: 0 } or { status: 1 } was expected`)
  }
  const text: string | undefined = JSON.stringify(json, null, 2)
  if (text === undefined) throw new Error('it ended with a “json” that is no JSON value')
  return { status, text }
}

const describe = (result: unknown, status: unknown): string =>
  typeof result === 'object' && result !== null ? `the status ${String(status)}` : String(result)

const messageOf = (error: unknown): string => (error instanceof Error || ServiceError.isInstance(error) ? error.message : String(error))
