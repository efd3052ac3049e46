import { parseArgs } from 'node:util'
import { ServiceError } from '../core/errors.js'
import { visibleLine } from '../core/visible-line.js'
import { manifestFileSchema } from '../manifest/manifest-schema.js'
import { buildPlugin, validatePlugin } from './build-plugin.js'
import { folderForPeople } from './common/folder-for-people.js'
import { developPlugin } from './dev/develop-plugin.js'
import { initPlugin } from './init/init-plugin.js'
import { pluginKinds } from './init/project-files.js'
import { adviseOnPackage } from './try-setup.js'
import { buildScreens, hasScreens } from './web/build-screens.js'
import { buildWebTests } from './web/build-web-tests.js'

/** Where the command writes its lines, and what ends it. */
export interface CommandOutput {
  print(line: string): void
  printError(line: string): void
  /** Of the programs that `dev` starts. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Ends `dev`. */
  readonly signal: AbortSignal
}

const usage = [
  'Usage: agent-service-plugin <command> [folder]',
  '',
  `  init <kind> [folder]   creates a plugin in TypeScript; kinds: ${pluginKinds.join(', ')}, or the id of their point (http.route)`,
  '  build [folder …]       checks the compiled plugin in each folder, writes its plugin.json, and builds its screens and their tests',
  '      --only <part>        manifest, screens or web-tests; default: all that there is',
  '  validate [folder]      reports what every deployment would refuse: checks plugin.json, the code and its names, and runs setup',
  '      --config <file>      settings for setup, a JSON file; default: those of the manifest',
  '  dev [folder]           runs a demo service with the plugin, and restarts it on change',
  '      --service <file>     agent-service.mjs; default: that of the package @agent-service/kernel',
  '      --port <number>      where the service listens',
  '  schema                 prints the JSON Schema of plugin.json',
  '',
  'The folder is the one with the package.json; default: the working directory.',
]

interface Call {
  readonly words: readonly string[]
  readonly config?: string | undefined
  readonly service?: string | undefined
  readonly port?: string | undefined
  readonly only?: string | undefined
}

/** Runs `agent-service-plugin`. Resolves to the exit status: 0, 1 (failed) or 2 (usage). */
export async function runPluginCommand(words: readonly string[], unsafeOutput: CommandOutput): Promise<0 | 1 | 2> {
  const output = visibleOutput(unsafeOutput)
  if (words[0] === '--help' || words[0] === '-h') {
    for (const line of usage) output.print(line)
    return 0
  }
  const call = parse(words)
  const command = typeof call === 'string' ? undefined : commandOf(call, output)
  if (!command) {
    output.printError(typeof call === 'string' ? call : misuseOf(call))
    output.printError('')
    for (const line of usage) output.printError(line)
    return 2
  }
  try {
    return (await command()) === 1 ? 1 : 0
  } catch (error) {
    for (const line of describe(error)) output.printError(line)
    return 1
  }
}

/** A call, or what is wrong with its options. */
function parse(words: readonly string[]): Call | string {
  try {
    const options = { config: { type: 'string' }, service: { type: 'string' }, port: { type: 'string' }, only: { type: 'string' } } as const
    const { positionals, values } = parseArgs({ args: [...words], options, allowPositionals: true })
    return { words: positionals, ...values }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const commands: readonly string[] = ['init', 'build', 'validate', 'dev', 'schema']

/** Why there is no command for a call. */
function misuseOf({ words: [command, first, second, ...more] }: Call): string {
  if (command === undefined) return `A command is missing: ${commands.join(', ')}.`
  if (!commands.includes(command)) return `Unknown command “${command}”. Known commands: ${commands.join(', ')}.`
  if (command === 'init' && first === undefined) return 'init needs the kind of plugin to create, such as “agent-service-plugin init tool”.'
  const [extra] = command === 'schema' ? [first] : command === 'init' ? more : command === 'build' ? [] : [second]
  return extra === undefined
    ? `${command} does not take one of these options; --only is for build and takes manifest, screens or web-tests, --config is for validate, --service and --port are for dev.`
    : `${command} takes no argument “${extra}”.`
}

function commandOf(call: Call, output: CommandOutput): (() => Promise<1 | void>) | undefined {
  const [command, first, second, ...more] = call.words
  const isWanted = (...names: readonly ('config' | 'service' | 'port' | 'only')[]): boolean =>
    (['config', 'service', 'port', 'only'] as const).every((name) => call[name] === undefined || names.includes(name))
  if (command === 'build') {
    const isPart = call.only === undefined || ['manifest', 'screens', 'web-tests'].includes(call.only)
    return isWanted('only') && isPart ? () => build(first === undefined ? ['.'] : call.words.slice(1), call, output) : undefined
  }
  if (more.length > 0 || (second !== undefined && command !== 'init')) return undefined
  if (command === 'schema' && first === undefined && isWanted()) {
    return async () => output.print(JSON.stringify(manifestFileSchema, null, 2))
  }
  if (command === 'init' && first !== undefined && isWanted()) return () => init(first, second ?? '.', output)
  if (command === 'validate' && isWanted('config')) return () => validate(first ?? '.', call, output)
  if (command === 'dev' && isWanted('service', 'port')) return () => dev(first ?? '.', call, output)
  return undefined
}

async function init(kind: string, folder: string, { print }: CommandOutput): Promise<void> {
  const { id, files } = await initPlugin(kind, folder)
  print(`${id}: wrote ${files.join(', ')}`)
  print(`Next: ${folder === '.' ? '' : `cd ${folder} && `}npm install && npm test`)
}

/** Builds all of them, and says of each one what is wrong with it. */
async function build(folders: readonly string[], { only }: Call, { print, printError }: CommandOutput): Promise<1 | void> {
  let failed = 0
  for (const folder of folders) {
    try {
      if (only === undefined || only === 'manifest') {
        const { manifest, manifestPath, startsBecause } = await buildPlugin(folder)
        print(`${manifest.id} ${manifest.version}: wrote ${manifestPath}`)
        if (startsBecause !== undefined) print(`  It starts with the service: ${startsBecause}`)
      }
      if (only === 'screens' || (only === undefined && hasScreens(folder))) {
        const built = await buildScreens(folder)
        print(`${built.screens.join(', ')}: built into ${built.folder}`)
      }
      if (only === 'web-tests' || (only === undefined && hasScreens(folder))) {
        const tests = await buildWebTests(folder)
        if (tests.length > 0) print(`${tests.join(', ')}: built into dist/web-tests`)
      }
    } catch (error) {
      failed += 1
      for (const line of describe(error)) printError(line)
    }
  }
  if (failed > 0) return 1
}

async function validate(folder: string, { config }: Call, { print, printError }: CommandOutput): Promise<1 | void> {
  const { manifest, manifestPath, problems, setup } = await validatePlugin(folder, config)
  for (const line of await adviseOnPackage(folder)) print(`Advice: ${line}`)
  const name = manifest === undefined ? folderForPeople(folder) : `${manifest.id} ${manifest.version}`
  if (problems.length > 0) {
    printError(`${name}: a deployment would refuse this plugin:`)
    for (const line of problems) printError(`  ${visibleLine(line)}`)
    return 1
  }
  if (setup !== undefined) print(setup.outcome === 'ran' ? 'Setup ran.' : `Setup was not tried: ${visibleLine(setup.reason)}`)
  print(`${name}: valid: ${manifestPath}`)
  print('What other plugins of a deployment claim is checked there: agent-service plugins validate <folder>')
}

async function dev(folder: string, { service, port }: Call, { print, signal, environment }: CommandOutput): Promise<void> {
  await developPlugin(folder, {
    print,
    signal,
    environment,
    ...(service !== undefined && { service }),
    ...(port !== undefined && { port }),
  })
}

/** Texts of plugins cannot control the terminal. */
function visibleOutput(output: CommandOutput): CommandOutput {
  const visible = (text: string): string => text.split('\n').map(visibleLine).join('\n')
  return { ...output, print: (line) => output.print(visible(line)), printError: (line) => output.printError(visible(line)) }
}

function describe(error: unknown): readonly string[] {
  if (!ServiceError.isInstance(error)) return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
  const cause = error.cause instanceof Error && error.cause.stack !== undefined ? [indent(error.cause.stack)] : []
  return [error.message, ...error.problems.map(({ path, message }) => `  ${path}: ${message}`), ...cause]
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ')
