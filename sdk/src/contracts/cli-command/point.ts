import { defineContributionPoint } from '../../core/contribution-point.js'
import type { CliCommand } from './command.js'

/** Subcommands of `agent-service`. */
export const cliCommands = defineContributionPoint<CliCommand>()({
  id: 'cli.command',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (command) => command.name,
})
