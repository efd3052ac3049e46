import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { CliCommand } from './command.js'

/**
 * Makes a subcommand.
 *
 * @example
 * defineCommand({
 *   name: 'dice',
 *   summary: 'Roll dice',
 *   arguments: [{ name: 'count', description: 'how many dice', required: true }],
 *   async run({ arguments: [count], print }) {
 *     const rolled = Array.from({ length: Number(count) }, () => Math.ceil(Math.random() * 6))
 *     await print(rolled.join(' '))
 *     return { status: 0, json: { rolled } }
 *   },
 * })
 */
export function defineCommand(definition: ContributionDefinition<CliCommand>): CliCommand {
  return Object.freeze({ ...definition, specVersion: 1 })
}
