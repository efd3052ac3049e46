import { type Command, Option } from 'commander'
import type { CommandAction, ProgramContext } from '../command-action.js'
import { jsonOption } from '../options.js'

const yesOption = (): Option => new Option('--yes', 'grant what the plugin asks for without prompting')

/**
 * Adds `plugins install | remove | grant | create | validate`. They change the deployment's own
 * files, whether or not a service is running.
 */
export function addInstallationCommands(plugins: Command, context: ProgramContext, action: CommandAction): void {
  const load = () => import('./commands.js')
  plugins
    .command('install <source>')
    .description('install a plugin from an npm package, an archive (.tgz) or a folder; runs none of its scripts')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(action(async (source, options) => (await load()).install(context, source, options)))
  plugins
    .command('remove <id>')
    .description('remove an installed plugin; its data stays')
    .addOption(jsonOption())
    .action(action(async (id) => (await load()).remove(context, id)))
  plugins
    .command('grant <id>')
    .description('show what an installed plugin asks for, and let it run')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(action(async (id, options) => (await load()).grant(context, id, options)))
  plugins
    .command('create <kind> [folder]')
    .description('create a plugin in TypeScript: tool, route, job, command or provider; default folder: the working directory')
    .addOption(jsonOption())
    .action(action(async (kind, folder) => (await load()).create(context, kind, folder)))
  plugins
    .command('validate <folder>')
    .description('check whether this service would load the plugin in a folder; imports its code and runs setup with stand-in services')
    .option('--config <file>', 'JSON file with settings for setup; default: those of the manifest')
    .addOption(jsonOption())
    .action(action(async (folder, options) => (await load()).validate(context, folder, options)))
}
