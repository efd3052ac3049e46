import type { Contribution } from '../../core/contribution-point.js'
import type { JsonValue } from '../../core/json.js'

/** What a command gets from the terminal and the running service. Asynchronous calls over plain data. */
export interface CommandContext {
  /** Positional arguments, in the order of the definition. Those that were left out are missing at the end. */
  readonly arguments: readonly string[]
  /** Options by their long name; absent ones are absent. */
  readonly options: Readonly<Record<string, string | boolean>>
  /** Aborted when the command is to end early: Ctrl-C, or a signal from outside. It then has five seconds. */
  readonly signal: AbortSignal
  /** Writes a line for people to standard output; with `--json` nothing. */
  print(line: string): Promise<void>
  /** Asks for a line on the terminal. With `secret` nothing is shown. @throws `not_interactive` where there is no terminal. */
  ask(question: string, options?: { readonly secret?: boolean }): Promise<string>
  /**
   * Calls the service's HTTP API as the signed-in user; `path` begins with `/`. The first call signs in, and asks for name and password where the
   * environment has none. @throws the service's problem as an error with its code and status, `service_unreachable` where none runs.
   */
  request(method: string, path: string, body?: JsonValue): Promise<JsonValue>
}

/**
 * A subcommand of `agent-service`. It runs in the command's own process, beside the service, and talks to it by HTTP.
 *
 * The plugin's `setup` runs in that process too, for a wrong call and for `--help` as well: with `kernel.clock` as the only service, without
 * collections, and with no effect but its commands. A plugin that needs more keeps its commands in a plugin of their own.
 */
export interface CliCommand extends Contribution {
  /** The generation of this contract that the command is written for. */
  readonly specVersion: 1
  /** One or two words of lower-case letters, digits and `-`: `agents list`. The first is none of the program's own commands. */
  readonly name: string
  /** One line for the list of commands, without a full stop at its end. */
  readonly summary: string
  /** Positional arguments, in order; required ones come first. Default none. */
  readonly arguments?: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
  /**
   * Options by their long name, without dashes. With `value` the option takes one, and that is its name in the help; without it is a
   * switch. `help`, `json`, `url`, `username` and names that begin with `no-` are the program's own. Default none.
   */
  readonly options?: readonly { readonly name: string; readonly description: string; readonly value?: string }[]
  /**
   * Resolves to the exit status, 0 or 1, and with `--json` the value to print. A throw is reported
   * on the terminal and ends with 1.
   */
  run(context: CommandContext): Promise<{ readonly status: 0 | 1; readonly json?: JsonValue }>
}
