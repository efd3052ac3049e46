import { type Command, Option } from 'commander'
import { createSystemClock } from '../../clock/index.js'
import { prepare } from '../../composition/prepare.js'
import { createDurableFileSystem } from '../../disk/durable-file-system.js'
import { type CommandPlugins, type MissingCommands, type PluginCommand, startCommandPlugins } from '../../plugins/index.js'
import { LowdbStateDocuments } from '../../state-documents/index.js'
import { remoteOptions } from '../options.js'
import { type Place, quietEnvironment } from '../place.js'
import { runPluginCommand } from './run-plugin-command.js'
import { watchPluginFaults } from './watch-plugin-faults.js'

/** The commands of plugins, as they stand in the program. */
export interface AddedCommands {
  /** Lines on what cannot be offered, for whoever does not find a command. */
  readonly notes: readonly string[]
  stop(): Promise<void>
}

const heading = 'Commands of plugins:'

/** Starts the plugins that have commands and adds those to the program. @throws `configuration_invalid`. */
export async function addPluginCommands(program: Command, place: Place & { setStatus(status: number): void }): Promise<AddedCommands> {
  const plugins = await start(place)
  const unwatch = watchPluginFaults(plugins.faults, place.terminal)
  const missing = [...plugins.missing]
  const own = new Set([...program.commands.flatMap((command) => [command.name(), ...command.aliases()]), 'help'])
  const added = new Map<string, PluginCommand>()
  for (const found of plugins.commands) {
    const [first = ''] = found.command.name.split(' ')
    const reason = own.has(first)
      ? `“${first}” is a command of agent-service itself`
      : added.has(first)
        ? `“${first}” is a command of plugin “${added.get(first)?.pluginId}”, so none can stand below it`
        : undefined
    if (reason !== undefined) missing.push({ pluginId: found.pluginId, reason: `${found.command.name}: ${reason}` })
    else {
      added.set(found.command.name, found)
      addCommand(program, found, place, plugins)
    }
  }
  const notes = missing.map(noteOf)
  if (notes.length > 0) program.addHelpText('after', ['', ...notes].join('\n'))
  return {
    notes,
    async stop() {
      await plugins.stop()
      await unwatch()
    },
  }
}

async function start({ installation, environment, workingDirectory }: Place): Promise<CommandPlugins> {
  const { configuration, discovered, log, redactor } = await prepare({
    ...installation,
    environment: quietEnvironment(environment),
    workingDirectory,
    log: { stream: { write: (line) => void process.stderr.write(line) } },
  })
  return startCommandPlugins({
    discovered,
    disabled: configuration.plugins.disabled,
    stateDocuments: new LowdbStateDocuments(`${configuration.storage.data_dir}/system`, createDurableFileSystem()),
    clock: createSystemClock(),
    log: log.logger,
    redactor,
    configurationOf: (manifest) => configuration.configurationOf(manifest),
  })
}

function addCommand(
  program: Command,
  found: PluginCommand,
  place: Place & { setStatus(status: number): void },
  plugins: CommandPlugins,
): void {
  const { command, pluginId } = found
  const [first = '', second] = command.name.split(' ')
  const added = (second === undefined ? program.command(first).helpGroup(heading) : groupOf(program, first).command(second))
    .description(command.summary)
    .addHelpText('after', `\nThis command comes from the plugin ${pluginId}.`)
  for (const { name, description, required } of command.arguments ?? []) added.argument(required ? `<${name}>` : `[${name}]`, description)
  const options = (command.options ?? []).map(({ name, description, value }) => ({
    name,
    option: new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, description),
  }))
  for (const { option } of options) added.addOption(option)
  const { url, username, json } = remoteOptions(place.environment)
  for (const option of [url(), username(), json()]) added.addOption(option)

  added.action(async () => {
    const values: Readonly<Record<string, unknown>> = added.opts()
    const given = options.flatMap(({ name, option }) => {
      const value = values[option.attributeName()]
      return typeof value === 'string' || typeof value === 'boolean' ? [[name, value] as const] : []
    })
    place.setStatus(
      await runPluginCommand({
        ...place,
        found,
        faults: plugins.faults,
        arguments: added.args,
        options: Object.fromEntries(given),
        service: { url: String(values['url']), ...(typeof values['username'] === 'string' ? { username: values['username'] } : {}) },
        json: values['json'] === true,
      }),
    )
  })
}

/** The first of two words, shared by whoever has commands below it. */
function groupOf(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name)
  return known ?? program.command(name).helpGroup(heading).description(`commands that begin with ${name}`)
}

const noteOf = ({ pluginId, reason }: MissingCommands): string => `Commands of the plugin “${pluginId}” are missing: ${reason}`
