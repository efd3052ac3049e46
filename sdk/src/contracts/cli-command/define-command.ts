import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { CliCommand } from './command.js'

/** Makes a subcommand. */
export function defineCommand(definition: ContributionDefinition<CliCommand>): CliCommand {
  return Object.freeze({ ...definition, specVersion: 1 })
}
