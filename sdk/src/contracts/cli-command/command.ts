import type { Contribution } from '../../core/contribution-point.js'
import type { JsonValue } from '../../core/json.js'
import type { CommandContext } from './command-context.js'

/**
 * A subcommand of `agent-service`. It runs in the command's own process, beside the service, and
 * talks to it by HTTP.
 *
 * The plugin's `setup` runs in that process too, for a wrong call and for `--help` as well: with
 * `kernel.clock` as the only service, without collections, and with no effect but its commands. A
 * plugin that needs more keeps its commands in a plugin of their own.
 */
export interface CliCommand extends Contribution {
  /** The generation of this contract that the command is written for. */
  readonly specVersion: 1
  /**
   * One or two words of lower-case letters, digits and `-`: `agents list`. The first is not one of
   * the program's own commands.
   */
  readonly name: string
  /** One line for the list of commands, without a full stop at its end. */
  readonly summary: string
  /** Positional arguments, in order; required ones come first. Default none. */
  readonly arguments?: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
  /**
   * Options by their long name, without dashes. With `value` the option takes one, and that is its
   * name in the help; without it is a switch. `help`, `json`, `url`, `username` and names that
   * begin with `no-` are the program's own. Default none.
   */
  readonly options?: readonly { readonly name: string; readonly description: string; readonly value?: string }[]
  /**
   * Resolves to the exit status, 0 or 1, and with `--json` the value to print: what people read, as
   * data. A throw is reported on the terminal and ends with 1. The program ends with the command, so it
   * waits for what it has asked of the service.
   */
  run(context: CommandContext): Promise<{ readonly status: 0 | 1; readonly json?: JsonValue }>
}
