import { ServiceError } from '@agent-service/sdk'
import type { Command } from 'commander'
import type { Place } from '../place.js'
import type { AddedCommands } from './add-plugin-commands.js'

const helpWords: ReadonlySet<string | undefined> = new Set([undefined, 'help', '--help', '-h'])

/**
 * Adds the commands of plugins where the call may be about them: no plugin's code is run for a command of the program itself. Help is given
 * without them, and says so, where the configuration does not hold. @throws `configuration_invalid` for any other word.
 */
export async function openPluginCommands(
  argv: readonly string[],
  program: Command,
  place: Place & { setStatus(status: number): void },
): Promise<AddedCommands | undefined> {
  const [word] = argv
  const asksForHelp = helpWords.has(word)
  if (!asksForHelp && (word?.startsWith('-') === true || program.commands.some((command) => command.name() === word))) return undefined
  const { addPluginCommands } = await import('./add-plugin-commands.js')
  try {
    return await addPluginCommands(program, place)
  } catch (error) {
    if (!asksForHelp) {
      place.terminal.problem(`“${word}” is no command of the program itself, and those of plugins are not known:`)
      throw error
    }
    program.addHelpText('after', ['', 'The commands of plugins are not known:', ...linesOf(error)].join('\n'))
    return undefined
  }
}

function linesOf(error: unknown): readonly string[] {
  if (!ServiceError.isInstance(error)) return [`  ${error instanceof Error ? error.message : String(error)}`]
  return [error.message, ...error.problems.map(({ path, message }) => `${path}: ${message}`)].map((line) => `  ${line}`)
}
