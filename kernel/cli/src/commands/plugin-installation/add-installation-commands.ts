import { type Command, Option } from 'commander'
import type { CommandAction, ProgramContext } from '../command-action.js'
import { jsonOption } from '../options.js'

const yesOption = (): Option => new Option('--yes', 'grant what the plugin asks for without a question')

/** Adds `plugins install | remove | grant | create | validate`. They work on the deployment's own files, whether a service runs or not. */
export function addInstallationCommands(plugins: Command, context: ProgramContext, action: CommandAction): void {
  const load = () => import('./commands.js')
  plugins
    .command('install <source>')
    .description('install a plugin: the name of an npm package, an archive (.tgz) or a folder; runs no script of it')
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
    .description('begin a plugin in TypeScript: tool, route, job, command or provider; default: the working directory')
    .addOption(jsonOption())
    .action(action(async (kind, folder) => (await load()).create(context, kind, folder)))
  plugins
    .command('validate <folder>')
    .description('check whether this service would load the plugin in a folder; imports its code and runs setup with stand-ins')
    .option('--config <file>', 'settings for setup, a JSON file; default: those of the manifest')
    .addOption(jsonOption())
    .action(action(async (folder, options) => (await load()).validate(context, folder, options)))
}
