import type { Environment } from '@agent-service/kernel-core/config'
import { type Command, Option } from 'commander'

/** Options of commands that talk to the running service. */
export interface RemoteOptions {
  readonly url: string
  readonly username?: string
}

/** `--json`. */
export const jsonOption = (): Option => new Option('--json', 'print JSON')

/** New `--url`, `--username` and `--json` options for one command. */
export const remoteOptions = (environment: Environment): readonly Option[] => [
  new Option('--url <url>', 'address of the running service').default(environment['AGENT_SERVICE_URL'] ?? 'http://localhost:3001'),
  new Option('--username <name>', 'user to sign in as; the password comes from AGENT_SERVICE_PASSWORD or a prompt'),
  jsonOption(),
]

/** Adds options to a command. */
export function withOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option)
  return command
}
