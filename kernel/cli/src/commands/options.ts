import { type Command, Option } from 'commander'

/** Options of commands that talk to the running service. */
export interface RemoteOptions {
  /** Default: the service of this configuration. */
  readonly url?: string
  readonly username?: string
}

/** `--json`. */
export const jsonOption = (): Option => new Option('--json', 'print JSON')

/** New `--url`, `--username` and `--json` options for one command. */
export const remoteOptions = (): readonly Option[] => [
  new Option('--url <url>', 'address of the running service; default: AGENT_SERVICE_URL, else the port of the configuration'),
  new Option('--username <name>', 'user to sign in as; the password comes from AGENT_SERVICE_PASSWORD or a prompt'),
  jsonOption(),
]

/** Adds options to a command. */
export function withOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option)
  return command
}
