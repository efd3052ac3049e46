import { ServiceError } from '../core/errors.js'
import { manifestFileSchema } from '../manifest/manifest-schema.js'
import { buildPlugin, validatePlugin } from './build-plugin.js'

/** Where the command writes its lines. */
export interface CommandOutput {
  print(line: string): void
  printError(line: string): void
}

const usage = [
  'Usage: agent-service-plugin <command> [folder]',
  '',
  '  build [folder]      checks the built plugin in the folder and writes its plugin.json',
  '  validate [folder]   checks that plugin.json holds and agrees with the code; writes nothing',
  '  schema              prints the JSON Schema of plugin.json',
  '',
  'The folder is the one with the package.json; default: the working directory.',
]

/** Runs `agent-service-plugin`. Resolves to the exit status: 0, 1 (failed) or 2 (usage). */
export async function runPluginCommand(words: readonly string[], output: CommandOutput): Promise<0 | 1 | 2> {
  const [command, folder = '.', ...more] = words
  if (command === '--help' || command === '-h') {
    usage.forEach((line) => {
      output.print(line)
    })
    return 0
  }
  if (command === 'schema' && words.length === 1) {
    output.print(JSON.stringify(manifestFileSchema, null, 2))
    return 0
  }
  if ((command !== 'build' && command !== 'validate') || more.length > 0 || folder.startsWith('-')) {
    usage.forEach((line) => {
      output.printError(line)
    })
    return 2
  }
  try {
    const { manifest, manifestPath } = await (command === 'build' ? buildPlugin(folder) : validatePlugin(folder))
    output.print(`${manifest.id} ${manifest.version}: ${command === 'build' ? 'wrote' : 'valid:'} ${manifestPath}`)
    return 0
  } catch (error) {
    describe(error).forEach((line) => {
      output.printError(line)
    })
    return 1
  }
}

function describe(error: unknown): readonly string[] {
  if (!ServiceError.isInstance(error)) return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
  const cause = error.cause instanceof Error && error.cause.stack !== undefined ? [indent(error.cause.stack)] : []
  return [error.message, ...error.problems.map(({ path, message }) => `  ${path}: ${message}`), ...cause]
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ')
