import { type Command, Option } from 'commander'
import type { Invocation } from '../invocation.js'

const setHelp = `
Examples:
  agent-service config set server.port 8080
  agent-service config set server.base_url https://agents.example server.log_level debug
  agent-service config set plugins.disabled '["tool-dice"]'
  agent-service config set providers.groq.api_key '\${GROQ_API_KEY}'

A value is read by its field's type; lists and objects are written as JSON. \${NAME} is kept and stands for that variable of the
service's environment: that is how a secret is best written. Comments, order and everything else in the file stay as they are.`

const explainHelp = `
Examples:
  agent-service config explain
  agent-service config explain server.port
  agent-service config explain models.primary`

/** Adds \`agent-service config …\`. Each command's module is loaded when the command runs. */
export function addConfigCommands(program: Command, invocation: Invocation, setStatus: (status: number) => void): void {
  const json = () => new Option('--json', 'print JSON')
  const config = program.command('config').description('see, check and change the configuration')
  config
    .command('check')
    .description('say everything that is wrong with the configuration; ends with 78 when the service would not start with it')
    .addOption(json())
    .action(async (options) => setStatus(await (await import('./check-command.js')).configCheckCommand({ ...invocation, options })))
  config
    .command('explain [path]')
    .description('where each value comes from: the environment, the file or the defaults; with a path, all that is known of it')
    .addOption(json())
    .addHelpText('after', explainHelp)
    .action(async (path: string | undefined, options) =>
      setStatus(await (await import('./explain-command.js')).configExplainCommand({ ...invocation, path, options })),
    )
  config
    .command('schema')
    .description('print the JSON Schema of the file, for editors')
    .addOption(json())
    .action(async () => setStatus(await (await import('./schema-command.js')).configSchemaCommand(invocation)))
  config
    .command('get <path>')
    .description('print an effective value; secrets are not shown; ends with 1 when it is not set')
    .addOption(json())
    .action(async (path: string, options) =>
      setStatus(await (await import('./get-command.js')).configGetCommand({ ...invocation, path, options })),
    )
  config
    .command('set <path> <value> [more...]')
    .usage('[options] <path> <value> [<path> <value>…]')
    .description('write values into the file; they take effect at the next start')
    .addOption(json())
    .addHelpText('after', setHelp)
    .action(async (path: string, value: string, more: readonly string[], options) =>
      setStatus(await (await import('./set-command.js')).configSetCommand({ ...invocation, words: [path, value, ...more], options })),
    )
  config
    .command('reset <path...>')
    .description('take values out of the file, so that the defaults hold again from the next start on')
    .addOption(json())
    .action(async (paths: readonly string[], options) =>
      setStatus(await (await import('./reset-command.js')).configResetCommand({ ...invocation, paths, options })),
    )
}
