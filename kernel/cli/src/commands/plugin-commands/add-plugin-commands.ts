import { type Command, Option } from 'commander'
import type { ProgramContext } from '../command-action.js'
import { remoteOptions, withOptions } from '../options.js'
import { serviceUrl } from '../service-url.js'
import type { CommandPlugins, PluginCommand } from './command-plugins.js'
import type { MissingContributions } from './contributors.js'
import { runPluginCommand } from './run-plugin-command.js'

const heading = 'Commands of plugins:'

/**
 * Adds the commands of plugins to the program. Returns a line for each missing command, with the
 * reason.
 */
export function addPluginCommands(program: Command, context: ProgramContext, plugins: CommandPlugins): readonly string[] {
  const missing = [...plugins.missing]
  const own = new Set([...program.commands.flatMap((command) => [command.name(), ...command.aliases()]), 'help'])
  const added: PluginCommand[] = []
  for (const found of [...plugins.commands].sort((one, other) => one.rank - other.rank)) {
    const [first = ''] = found.command.name.split(' ')
    const reason = own.has(first) ? `“${first}” is a command of agent-service itself` : exclusionOf(found, added)
    if (reason !== undefined) missing.push({ pluginId: found.pluginId, reason: `${found.command.name}: ${reason}` })
    else {
      added.push(found)
      addCommand(program, found, context, plugins)
    }
  }
  return missing.map(noteOf)
}

/** Why a command cannot stand beside those that were added before it: one word is a command or a group, never both. */
function exclusionOf({ command }: PluginCommand, added: readonly PluginCommand[]): string | undefined {
  const [first = '', second] = command.name.split(' ')
  const rival = added.find((other) => other.command.name.split(' ')[0] === first && (second === undefined || other.command.name === first))
  if (rival === undefined) return undefined
  return second === undefined
    ? `commands of plugin “${rival.pluginId}” begin with “${first}”, so it cannot be a command itself`
    : `“${first}” is a command of plugin “${rival.pluginId}” and cannot have subcommands`
}

function addCommand(program: Command, found: PluginCommand, context: ProgramContext, plugins: CommandPlugins): void {
  const { command, pluginId, builtIn } = found
  const [first = '', second] = command.name.split(' ')
  const group = second === undefined ? undefined : groupOf(program, first, builtIn)
  const added = (second === undefined || !group ? grouped(program.command(first), builtIn) : group.command(second)).description(
    command.summary,
  )
  if (group) describeGroup(group)
  if (!builtIn) added.addHelpText('after', `\nThis command comes from the plugin ${pluginId}.`)
  for (const { name, description, required } of command.arguments ?? []) added.argument(required ? `<${name}>` : `[${name}]`, description)
  const options = (command.options ?? []).map(({ name, description, value }) => ({
    name,
    option: new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, description),
  }))
  for (const { option } of options) added.addOption(option)
  withOptions(added, remoteOptions())

  added.action(async () => {
    const values: Readonly<Record<string, unknown>> = added.opts()
    const given = options.flatMap(({ name, option }) => {
      const value = values[option.attributeName()]
      return typeof value === 'string' || typeof value === 'boolean' ? [[name, value] as const] : []
    })
    context.setStatus(
      await runPluginCommand({
        ...context,
        found,
        faults: plugins.faults,
        arguments: added.args,
        options: Object.fromEntries(given),
        service: {
          url: await serviceUrl(context, typeof values['url'] === 'string' ? values['url'] : undefined),
          ...(typeof values['username'] === 'string' ? { username: values['username'] } : {}),
        },
        json: values['json'] === true,
      }),
    )
  })
}

/** The command group of the first of two words. */
function groupOf(program: Command, name: string, builtIn: boolean): Command {
  return program.commands.find((command) => command.name() === name) ?? grouped(program.command(name), builtIn)
}

/** What the help says about a command group: the second words of its commands. */
function describeGroup(group: Command): void {
  group.description(`commands that begin with “${group.name()}”: ${group.commands.map((command) => command.name()).join(', ')}`)
}

/** Built-in commands are listed with the program's own. */
const grouped = (command: Command, builtIn: boolean): Command => (builtIn ? command : command.helpGroup(heading))

const noteOf = ({ pluginId, reason }: MissingContributions): string => `Commands of the plugin “${pluginId}” are missing: ${reason}`
