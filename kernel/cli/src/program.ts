import { Command, InvalidArgumentError, Option } from 'commander'
import { type CommandAction, createAction, type ProgramContext } from './commands/command-action.js'
import { addConfigCommands } from './commands/config/add-config-commands.js'
import { jsonOption, remoteOptions, withOptions } from './commands/options.js'
import { addInstallationCommands } from './commands/plugin-installation/add-installation-commands.js'

/**
 * Builds `agent-service` with all its subcommands. A command's module is loaded when the command
 * runs, so that help is fast. Parsing throws `CommanderError` for wrong usage.
 */
export function createProgram(context: ProgramContext): Command {
  const { terminal, installation, setStatus } = context
  const program = new Command('agent-service')
    .description('Hosts AI agents for yourself, a family or a company.')
    .version(installation.version, '--version', 'print the version')
    .showHelpAfterError('(agent-service --help lists the commands)')
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.problem(text.replace(/\n$/, '')) })
    .exitOverride()

  program
    .command('start')
    .description('run the service until it is stopped')
    .option('--demo', 'try the service without an API key: a scripted model and a separate data folder')
    .action(async ({ demo = false }: { readonly demo?: boolean }) =>
      setStatus(await (await import('./commands/start-command.js')).startCommand({ ...context, demo })),
    )

  const action = createAction(context)
  addPluginsCommands(program, context, action)
  addUsersCommands(program, context, action)
  addTokensCommands(program, context, action)
  addDataCommands(program, context, action)
  addExportCommand(program, context, action)
  addConfigCommands(program, context, action)
  return program
}

function addPluginsCommands(program: Command, context: ProgramContext, action: CommandAction): void {
  const load = () => import('./commands/plugins-commands.js')
  const remote = (command: Command): Command => withOptions(command, remoteOptions())
  const plugins = program.command('plugins').description('list, enable, disable, install and create plugins')
  remote(plugins.command('list'))
    .description('list every plugin with its state, from the running service or from the manifests')
    .option('--offline', 'read only the manifests, without asking a running service')
    .action(action(async (options) => (await load()).listPlugins(context, options)))
  for (const verb of ['enable', 'disable'] as const)
    remote(plugins.command(`${verb} <id>`))
      .description(`${verb} a plugin of the running service`)
      .action(action(async (id, options) => (await load()).switchPlugin(context, verb, id, options)))
  addInstallationCommands(plugins, context, action)
}

function addUsersCommands(program: Command, context: ProgramContext, action: CommandAction): void {
  const load = () => import('./commands/users-commands.js')
  const users = program.command('users').description('manage accounts in the data folder; stop the service first')
  users
    .command('create <username>')
    .description('create an account; the password comes from AGENT_SERVICE_PASSWORD, standard input or a prompt')
    .addOption(new Option('--role <role>', 'what the account may do').choices(['user', 'admin']).default('user'))
    .addOption(jsonOption())
    .action(action(async (name, options) => (await load()).createUser(context, name, options)))
  users
    .command('list')
    .description('list every account')
    .addOption(jsonOption())
    .action(action(async () => (await load()).listUsers(context)))
  users
    .command('reset-password <username>')
    .description('set a new password; it comes from AGENT_SERVICE_PASSWORD, standard input or a prompt')
    .addOption(jsonOption())
    .action(action(async (name) => (await load()).resetPassword(context, name)))
}

function addExportCommand(program: Command, context: ProgramContext, action: CommandAction): void {
  withOptions(program.command('export <file>'), remoteOptions())
    .description('download everything that you have from the running service, as a zip archive')
    .action(action(async (file, options) => (await import('./commands/export-command.js')).exportAccount(context, file, options)))
}

function addTokensCommands(program: Command, context: ProgramContext, action: CommandAction): void {
  const load = () => import('./commands/tokens-commands.js')
  const tokens = program.command('tokens').description('manage your personal access tokens for programs; sign in with name and password')
  withOptions(tokens.command('list'), remoteOptions())
    .description('list your tokens, the latest first')
    .action(action(async (options) => (await load()).listTokens(context, options)))
  withOptions(tokens.command('create <name>'), remoteOptions())
    .description('create a token and print it, this once')
    .addOption(new Option('--scopes <scopes...>', 'what it permits; default: read write inference').choices([...tokenScopes]))
    .addOption(new Option('--expires-in-days <days>', 'default: valid until it is revoked').argParser(readDays))
    .action(action(async (name, options) => (await load()).createToken(context, name, options)))
  withOptions(tokens.command('revoke <id>'), remoteOptions())
    .description('revoke a token')
    .action(action(async (id, options) => (await load()).revokeToken(context, id, options)))
}

const tokenScopes = ['read', 'write', 'admin', 'inference'] as const
const maxTokenDays = 3_650

function readDays(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > maxTokenDays) throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxTokenDays}.`)
  return days
}

function addDataCommands(program: Command, context: ProgramContext, action: CommandAction): void {
  program
    .command('policies')
    .description('manage stored policies in the data folder; stop the service first')
    .command('reset')
    .description('disable every stored policy, for when policies lock everyone out')
    .addOption(jsonOption())
    .action(action(async () => (await import('./commands/policies-commands.js')).resetPolicies(context)))
  program
    .command('rekey')
    .description('encrypt the database with another secret; stop the service first')
    .addOption(jsonOption())
    .action(action(async () => (await import('./commands/rekey-command.js')).rekey(context)))
  program
    .command('backup <folder>')
    .description('copy the database into an empty folder; stop the service first')
    .addOption(jsonOption())
    .action(action(async (folder, options) => (await import('./commands/backup-commands.js')).backUp(context, folder, options)))
  program
    .command('restore <folder>')
    .description('restore a backup; the database must not exist yet')
    .addOption(jsonOption())
    .action(action(async (folder) => (await import('./commands/backup-commands.js')).restore(context, folder)))
  program
    .command('doctor')
    .description(
      'check configuration, plugins and database, and show what an upgrade would migrate; changes nothing, works also while the service runs',
    )
    .addOption(jsonOption())
    .action(action(async () => (await import('./commands/doctor/doctor-command.js')).examine(context)))
}
