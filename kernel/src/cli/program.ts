import { Command, Option } from 'commander'
import type { Environment } from '../config/index.js'
import { addConfigCommands } from './config/add-config-commands.js'
import { findInstallation } from './installation.js'
import { remoteOptions } from './options.js'
import { addInstallationCommands } from './plugin-installation/add-installation-commands.js'
import type { Terminal } from './terminal.js'

/** What the program is made of. */
export interface ProgramOptions {
  readonly terminal: Terminal
  readonly environment: Environment
  readonly workingDirectory: string
  /** Called with the exit status of the command that ran. */
  readonly setStatus: (status: number) => void
}

/** Builds `agent-service` with all its subcommands. A command's module is loaded when the command runs, so that help is quick. Parsing throws `CommanderError` for a wrong call. */
export function createProgram({ terminal, environment, workingDirectory, setStatus }: ProgramOptions): Command {
  const installation = findInstallation()
  const invocation = { environment, workingDirectory, installation }
  const { url, username, json } = remoteOptions(environment)

  const program = new Command('agent-service')
    .description('Hosts AI agents for yourself, a family or a company.')
    .version(installation.version, '--version', 'print the version')
    .showHelpAfterError('(agent-service --help lists the commands)')
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.problem(text.replace(/\n$/, '')) })
    .exitOverride()

  program
    .command('start')
    .description('run the service until it is told to stop')
    .option('--demo', 'try it without any key: a scripted model, and a data folder of its own')
    .action(async (options: { readonly demo?: boolean }) =>
      setStatus(await (await import('./start-command.js')).startCommand({ ...invocation, terminal, demo: options.demo === true })),
    )

  const plugins = program.command('plugins').description('what the service is made of')
  plugins
    .command('list')
    .description('every plugin with its state; of the running service, or from the manifests alone')
    .addOption(url())
    .addOption(username())
    .addOption(json())
    .option('--offline', 'read the manifests alone, without asking a running service')
    .action(async (options) =>
      setStatus(await (await import('./plugins-commands.js')).pluginsListCommand({ ...invocation, terminal, options })),
    )
  for (const action of ['enable', 'disable'] as const) {
    plugins
      .command(`${action} <id>`)
      .description(`${action} a plugin of the running service`)
      .addOption(url())
      .addOption(username())
      .addOption(json())
      .action(async (id: string, options) =>
        setStatus(await (await import('./plugins-commands.js')).pluginsSwitchCommand({ ...invocation, terminal, action, id, options })),
      )
  }

  addInstallationCommands(plugins, { ...invocation, terminal }, setStatus)

  const users = program.command('users').description('accounts, in the data folder itself; the service must not be running')
  users
    .command('create <username>')
    .description('make an account; the password is asked for, or AGENT_SERVICE_PASSWORD')
    .addOption(new Option('--role <role>').choices(['user', 'admin']).default('user'))
    .addOption(json())
    .action(async (name: string, options) =>
      setStatus(await (await import('./users-commands.js')).usersCreateCommand({ ...invocation, terminal, name, options })),
    )
  users
    .command('list')
    .description('every account')
    .addOption(json())
    .action(async (options) =>
      setStatus(await (await import('./users-commands.js')).usersListCommand({ ...invocation, terminal, options })),
    )

  users
    .command('reset-password <username>')
    .description('give an account another password; it is asked for, or read from standard input or AGENT_SERVICE_PASSWORD')
    .addOption(json())
    .action(async (name: string, options) =>
      setStatus(await (await import('./users-commands.js')).usersResetPasswordCommand({ ...invocation, terminal, name, options })),
    )
  program
    .command('policies')
    .description('what is allowed, in the data folder itself; the service must not be running')
    .command('reset')
    .description('switch every stored policy off: the way back when policies keep everybody out')
    .addOption(json())
    .action(async (options) =>
      setStatus(await (await import('./policies-commands.js')).policiesResetCommand({ ...invocation, terminal, options })),
    )
  program
    .command('rekey')
    .description('bring the database under another encryption secret; the service must not be running')
    .addOption(json())
    .action(async (options) => setStatus(await (await import('./rekey-command.js')).rekeyCommand({ ...invocation, terminal, options })))

  program
    .command('backup <folder>')
    .description('copy the database into an empty folder, while the service does not run')
    .addOption(json())
    .action(async (folder: string, options) =>
      setStatus(await (await import('./backup-commands.js')).backupCommand({ ...invocation, terminal, folder, options })),
    )
  program
    .command('restore <folder>')
    .description('put a backup back where there is no database yet')
    .addOption(json())
    .action(async (folder: string, options) =>
      setStatus(await (await import('./backup-commands.js')).restoreCommand({ ...invocation, terminal, folder, options })),
    )
  program
    .command('doctor')
    .description('check the configuration, the plugins and the database, and show what an upgrade would migrate; changes nothing')
    .addOption(json())
    .action(async (options) => setStatus(await (await import('./doctor-command.js')).doctorCommand({ ...invocation, terminal, options })))

  addConfigCommands(program, { ...invocation, terminal }, setStatus)

  return program
}
