import { type Command, Option } from 'commander'
import type { Place } from '../place.js'

interface Consent {
  readonly yes?: boolean
  readonly json?: boolean
}

const yes = (): Option => new Option('--yes', 'grant what it reaches for without asking')
const json = (): Option => new Option('--json', 'print JSON')
const load = () => import('./commands.js')

/** Adds `plugins install | remove | grant | validate`. They work on the deployment's own files, with or without a running service. */
export function addInstallationCommands(plugins: Command, place: Place, setStatus: (status: number) => void): void {
  plugins
    .command('install <source>')
    .description('install a plugin: the name of an npm package, an archive (.tgz) or a folder; no script of it runs')
    .addOption(yes())
    .addOption(json())
    .action(async (source: string, options: Consent) =>
      setStatus(await (await load()).pluginsInstallCommand({ ...place, source, options })),
    )
  plugins
    .command('remove <id>')
    .description('take an installed plugin away; its data stays')
    .addOption(json())
    .action(async (id: string, options: Consent) => setStatus(await (await load()).pluginsRemoveCommand({ ...place, id, options })))
  plugins
    .command('grant <id>')
    .description('show what an installed plugin reaches for, and let it run')
    .addOption(yes())
    .addOption(json())
    .action(async (id: string, options: Consent) => setStatus(await (await load()).pluginsGrantCommand({ ...place, id, options })))
  plugins
    .command('validate <folder>')
    .description('say whether this service would load the plugin in a folder; its code is imported and not set up')
    .addOption(json())
    .action(async (folder: string, options: Consent) =>
      setStatus(await (await load()).pluginsValidateCommand({ ...place, folder, options })),
    )
}
