import { spawn } from 'node:child_process'
import { npmFailedError } from './errors.js'

/** The longest that one call of npm may take. */
const limitMs = 300_000
const maxOutput = 1024 * 1024

/** Install scripts never run, and nothing is asked or sent that the call does not need. */
const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']

/**
 * Runs npm in a folder of its own, so that no configuration of a project counts but the operator's. Gives what it printed.
 * @throws `npm_failed` with the last lines that it said.
 */
export async function runNpm(
  words: readonly string[],
  options: { readonly what: string; readonly folder: string; readonly environment: Readonly<Record<string, string | undefined>> },
): Promise<string> {
  const { what, folder, environment } = options
  const [command = '', ...rest] = words
  const child = spawn('npm', [command, ...quietly, ...rest], {
    cwd: folder,
    env: npmEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.timeout(limitMs),
  })
  const output = { out: '', error: '' }
  const keep = (name: keyof typeof output) => (chunk: Buffer) => {
    output[name] = (output[name] + chunk.toString()).slice(-maxOutput)
  }
  child.stdout.on('data', keep('out'))
  child.stderr.on('data', keep('error'))
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', (error) => reject(npmFailedError.create({ what, reason: spawnReason(error) }, { cause: error })))
  })
  if (status === 0) return output.out
  const lines = `${output.error}\n${output.out}`.split('\n').filter((line) => line.trim() !== '' && !/complete log|debug-0\.log/.test(line))
  throw npmFailedError.create({ what, reason: lines.slice(0, 6).join(' ').slice(0, 1_000) || `it ended with ${String(status)}` })
}

const spawnReason = (error: Error): string =>
  (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'npm is not on the PATH; install it beside Node' : error.message

/** Nothing of the service's own variables: its secrets are no business of npm's. */
const npmEnvironment = (environment: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) =>
      /^(PATH|HOME|TMPDIR|LANG|LC_\w+|(HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS|npm_config_\w+)$/i.test(name),
    ),
  )
