import { type Command, Option } from 'commander'
import type { Invocation } from '../invocation.js'

interface Consent {
  readonly yes?: boolean
  readonly json?: boolean
}

const yes = (): Option => new Option('--yes', 'grant what it reaches for without asking')
const json = (): Option => new Option('--json', 'print JSON')
const load = () => import('./commands.js')

/** Adds `plugins install | remove | grant | create | validate`. They work on the deployment's own files, with or without a running service. */
export function addInstallationCommands(plugins: Command, invocation: Invocation, setStatus: (status: number) => void): void {
  plugins
    .command('install <source>')
    .description('install a plugin: the name of an npm package, an archive (.tgz) or a folder; no script of it runs')
    .addOption(yes())
    .addOption(json())
    .action(async (source: string, options: Consent) =>
      setStatus(await (await load()).pluginsInstallCommand({ ...invocation, source, options })),
    )
  plugins
    .command('remove <id>')
    .description('take an installed plugin away; its data stays')
    .addOption(json())
    .action(async (id: string, options: Consent) => setStatus(await (await load()).pluginsRemoveCommand({ ...invocation, id, options })))
  plugins
    .command('grant <id>')
    .description('show what an installed plugin reaches for, and let it run')
    .addOption(yes())
    .addOption(json())
    .action(async (id: string, options: Consent) => setStatus(await (await load()).pluginsGrantCommand({ ...invocation, id, options })))
  plugins
    .command('create <kind> [folder]')
    .description('begin a plugin in TypeScript: tool, route, job, command or provider; default: the working directory')
    .addOption(json())
    .action(async (kind: string, folder: string | undefined, options: Pick<Consent, 'json'>) =>
      setStatus(await (await load()).pluginsCreateCommand({ ...invocation, kind, folder: folder ?? '.', options })),
    )
  plugins
    .command('validate <folder>')
    .description('say whether this service would load the plugin in a folder; its code is imported, and setup runs with stand-ins')
    .option('--config <file>', 'settings for setup, a JSON file; default: those of the manifest')
    .addOption(json())
    .action(async (folder: string, options: Pick<Consent, 'json'> & { readonly config?: string }) =>
      setStatus(await (await load()).pluginsValidateCommand({ ...invocation, folder, options })),
    )
}
