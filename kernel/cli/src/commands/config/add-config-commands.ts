import type { Command } from 'commander'
import type { CommandAction, ProgramContext } from '../command-action.js'
import { jsonOption } from '../options.js'

const setHelp = `
Examples:
  agent-service config set server.port 8080
  agent-service config set server.base_url https://agents.example server.log_level debug
  agent-service config set plugins.disabled '["tool-dice"]'
  agent-service config set providers.groq.api_key '\${GROQ_API_KEY}'

Each value is read as its field's type; write lists and objects as JSON.
\${NAME} is saved as it is and refers to that variable of the service's
environment: use it for secrets. Comments, order and everything else in the
file are preserved.`

const explainHelp = `
Examples:
  agent-service config explain
  agent-service config explain server.port
  agent-service config explain models.primary`

/** Adds `agent-service config …`. */
export function addConfigCommands(program: Command, context: ProgramContext, action: CommandAction): void {
  const read = () => import('./read-commands.js')
  const write = () => import('./write-commands.js')
  const config = program.command('config').description('check, explain and change the configuration')
  config
    .command('check')
    .description('report every problem in the configuration; exits with 78 if the service would not start with it')
    .addOption(jsonOption())
    .action(action(async () => (await read()).checkConfiguration(context)))
  config
    .command('explain [path]')
    .description('show where each value comes from: the environment, the file or the defaults; with a path, show everything known about it')
    .addOption(jsonOption())
    .addHelpText('after', explainHelp)
    .action(action(async (path) => (await read()).explainConfiguration(context, path)))
  config
    .command('schema')
    .description('print the JSON Schema of the file, for editors')
    .addOption(jsonOption())
    .action(action(async () => (await read()).printSchema(context)))
  config
    .command('get <path>')
    .description('print an effective value; secrets are not shown; exits with 1 if it is not set')
    .addOption(jsonOption())
    .action(action(async (path, options) => (await read()).getValue(context, path, options)))
  config
    .command('set <path> <value> [more...]')
    .usage('[options] <path> <value> [<path> <value>…]')
    .description('write values to the file; they take effect at the next start')
    .addOption(jsonOption())
    .addHelpText('after', setHelp)
    .action(action(async (path, value, more, options) => (await write()).setValues(context, [path, value, ...more], options)))
  config
    .command('reset <path...>')
    .description('remove values from the file; the defaults apply from the next start')
    .addOption(jsonOption())
    .action(action(async (paths, options) => (await write()).resetValues(context, paths, options)))
}
