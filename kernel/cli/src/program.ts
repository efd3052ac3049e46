import type { AccessScope } from '@agent-service/sdk/contracts/http-route'
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
  addPluginDataCommands(plugins, context, action)
  addInstallationCommands(plugins, context, action)
}

function addPluginDataCommands(plugins: Command, context: ProgramContext, action: CommandAction): void {
  const load = () => import('./commands/plugin-data-commands.js')
  const remote = (command: Command): Command => withOptions(command, remoteOptions())
  const data = plugins.command('data').description('list and delete what plugins that do not run have stored in the running service')
  remote(data.command('list', { isDefault: true }))
    .description('list the stored data of plugins that are gone or do not run')
    .action(action(async (options) => (await load()).listPluginData(context, options)))
  remote(data.command('delete <id>'))
    .description('delete the data of a plugin that is gone or disabled, for all users')
    .option('--yes', 'delete without prompting')
    .option('--left-behind', 'only collections that the running version does not declare any more; the plugin goes on')
    .option('--despite-unread-sources', 'also if the plugin may be in a source that cannot be read')
    .action(action(async (id, options) => (await load()).deletePluginData(context, id, options)))
  remote(data.command('keep <id>'))
    .description('keep the data of a plugin that is gone, and stop reminding of it')
    .action(action(async (id, options) => (await load()).keepPluginData(context, id, options)))
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
  users
    .command('invite')
    .description('make a link with which a person creates an account, and print it, this once')
    .addOption(new Option('--role <role>', 'what the account may do').choices(['user', 'admin']).default('user'))
    .addOption(new Option('--expires <time>', 'how long the link works: 12h, 7d; default: 7d').argParser(readHours))
    .addOption(new Option('--email <address>', 'the only e-mail address that the account can have'))
    .addOption(jsonOption())
    .action(action(async (options) => (await load()).inviteUser(context, options)))
  users
    .command('confirm-email <username>')
    .description('vouch that the e-mail address of an account is the person’s')
    .addOption(jsonOption())
    .action(action(async (name) => (await load()).confirmEmail(context, name)))
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

const tokenScopes = ['read', 'write', 'admin', 'inference', 'metrics'] as const satisfies readonly AccessScope[]
const maxTokenDays = 3_650

function readDays(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > maxTokenDays) throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxTokenDays}.`)
  return days
}

const maxInvitationHours = 720

/** Hours of `12h` or `7d`. */
function readHours(text: string): number {
  const [, count, unit] = /^(\d{1,3})([hd])$/.exec(text) ?? []
  const hours = Number(count ?? 0) * (unit === 'd' ? 24 : 1)
  if (hours < 1 || hours > maxInvitationHours) throw new InvalidArgumentError('It must be from 1h to 30d: 12h, 7d.')
  return hours
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
  addBackupCommands(program, context, action)
  program
    .command('doctor')
    .description(
      'check configuration, plugins and database, and show what an upgrade would migrate; changes nothing, works also while the service runs',
    )
    .option(
      '--backup [file]',
      'verify a backup instead: every byte, its proof of origin, its database and its files; default: the newest of the service',
    )
    .addOption(jsonOption())
    .action(
      action(async (options: { readonly backup?: string | true; readonly json?: boolean }) =>
        options.backup === undefined
          ? (await import('./commands/doctor/doctor-command.js')).examine(context)
          : (await import('./commands/backup-commands.js')).verify(context, options.backup === true ? undefined : options.backup, options),
      ),
    )
}

function addBackupCommands(program: Command, context: ProgramContext, action: CommandAction): void {
  const load = () => import('./commands/backup-commands.js')
  withOptions(program.command('backup [file]'), remoteOptions())
    .description('back up the whole service into one file, also while it runs')
    .addHelpText('after', backupHelp)
    .action(action(async (file, options) => (await load()).backUp(context, file, options)))
  program
    .command('restore <file>')
    .description('restore a backup into an empty data folder; stop the service first')
    .option('--database-only', 'restore only the database, beside files that are there')
    .option('--any-secret', 'restore also if auth.encryption_secret is not the one of the backup; needs --accept-unproven')
    .option('--accept-unproven', 'restore also if the backup cannot prove that this service made it and nothing was changed since')
    .addOption(jsonOption())
    .addHelpText('after', restoreHelp)
    .action(action(async (file, options) => (await load()).restore(context, file, options)))
  const backups = program.command('backups').description('list and verify backups')
  backups
    .command('list')
    .description('list the backups in a folder, the newest first')
    .option('--folder <folder>', 'default: {storage.data_dir}/system/backups')
    .addOption(jsonOption())
    .action(action(async (options) => (await load()).listBackups(context, options)))
  backups
    .command('verify [file]')
    .description('check every byte of a backup and its proof of origin, open its database, and look for each file; default: the newest')
    .addOption(jsonOption())
    .action(action(async (file, options) => (await load()).verify(context, file, options)))
}

const backupHelp = `
Without a file, it is written to {storage.data_dir}/system/backups. A running service makes the
backup itself: sign in as an administrator, and a named file is downloaded.
With --url or AGENT_SERVICE_URL, the backup is of the service at that address, or there is none.

In it: the database, users' files, state documents, shared skills and ontologies, the configuration.
Not in it: the encryption secret (auth.encryption_secret), literal secrets of the configuration,
caches, logs, earlier backups. Stored secrets stay encrypted; without the secret they are lost.`

const restoreHelp = `
The whole backup is checked first; then everything is written beside its place and moved there at the
end. Nothing that exists is overwritten. If it is interrupted, run it again.

Set SERVICE_AUTH_ENCRYPTION_SECRET to the secret of the service that made the backup. Its proof of
origin is checked under that secret before anything is written.`
