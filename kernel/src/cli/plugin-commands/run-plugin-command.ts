import { type JsonValue, ServiceError } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'
import type { PluginCommand } from '../../plugins/index.js'
import type { PluginFaults } from '../../plugins/start/plugin-faults.js'
import { createApiClient } from '../api-client.js'
import { serviceProblemError } from '../errors.js'
import { exitStatus } from '../exit-status.js'
import type { Place } from '../place.js'
import { signIn } from '../sign-in.js'
import { watchForCommandEnd } from './command-end.js'

/** How long what a plugin left open may keep the process, in milliseconds. */
const lingerMs = 1_000

/** One call of a command. */
export interface PluginCommandCall extends Pick<Place, 'terminal' | 'environment'> {
  readonly found: PluginCommand
  readonly faults: PluginFaults
  readonly arguments: readonly string[]
  readonly options: Readonly<Record<string, string | boolean>>
  readonly service: { readonly url: string; readonly username?: string }
  readonly json: boolean
}

/** Runs a command of a plugin. Resolves to 0 or 1; whatever the plugin does wrong has been told on the terminal, by name. */
export async function runPluginCommand(call: PluginCommandCall): Promise<number> {
  const { terminal, found, faults, json } = call
  const { pluginId, command } = found
  const end = watchForCommandEnd()
  try {
    const context = createCommandContext(call, end.signal)
    const work = faults.run(pluginId, async () => command.run(context))
    const result = checkResult(await Promise.race([work, end.overdue]))
    if (json) terminal.line(result.text)
    return result.status
  } catch (error) {
    terminal.problem(`“${command.name}” of the plugin “${pluginId}” failed: ${messageOf(error)}`)
    if (ServiceError.isInstance(error)) for (const { path, message } of error.problems) terminal.problem(`  ${path}: ${message}`)
    return exitStatus.failed
  } finally {
    end.close()
    setTimeout(() => process.exit(), lingerMs).unref()
  }
}

function createCommandContext(call: PluginCommandCall, signal: AbortSignal): CommandContext {
  const { terminal, environment, service, json } = call
  const client = createApiClient(service.url)
  let signedIn: Promise<string> | undefined
  return Object.freeze<CommandContext>({
    arguments: call.arguments,
    options: call.options,
    signal,
    async print(line) {
      if (!json) terminal.line(String(line))
    },
    ask: (question, { secret = false } = {}) => terminal.ask(question, { secret, instead: 'Run the command in a terminal.' }),
    async request(method, path, body) {
      if (!path.startsWith('/')) throw new Error(`The path of a request must begin with “/”, and is “${path}”.`)
      signedIn ??= signIn(client, terminal, environment, {
        mayRegister: false,
        ...(service.username === undefined ? {} : { username: service.username }),
      })
      try {
        await signedIn
        return await client.request(method, path, body, { signal })
      } catch (error) {
        throw serviceProblemError.isInstance(error) ? problemOfService(error) : error
      }
    },
  })
}

/** The problem as the service's own error, so that a command can tell by its code. */
function problemOfService(error: ServiceError): ServiceError {
  const { code, status } = error.details
  return new ServiceError({
    code: String(code),
    status: Number(status),
    title: error.title,
    message: error.message,
    options: { cause: error },
  })
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
