import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { npmFailedError } from './errors.js'

/** The longest that one call of npm may take. */
const maxRunMs = 300_000
const maxOutputBytes = 16 * 1024 * 1024

/** Install scripts never run, and npm makes no request that the call does not need. */
const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']

/** The variables that npm needs. The service's secrets are not passed on. */
const passedOn = /^(PATH|HOME|TMPDIR|LANG|LC_\w+|(HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS|npm_config_\w+)$/i

const execute = promisify(execFile)

/**
 * Runs npm in its own folder, so that only the operator's configuration applies and no project's.
 * Resolves to its output.
 * @throws `npm_failed` with what it reported.
 */
export async function runNpm(
  [command = '', ...rest]: readonly string[],
  options: { readonly what: string; readonly folder: string; readonly environment: Readonly<Record<string, string | undefined>> },
): Promise<string> {
  const { what, folder, environment } = options
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => passedOn.test(name)))
  const running = execute('npm', [command, ...quietly, ...rest], { cwd: folder, env, timeout: maxRunMs, maxBuffer: maxOutputBytes })
  running.child.stdin?.end()
  try {
    return (await running).stdout
  } catch (error) {
    throw npmFailedError.create({ what, reason: reasonOf(error) }, { cause: error })
  }
}

function reasonOf(error: unknown): string {
  const { code, stderr = '', stdout = '', message } = error as Error & Readonly<Record<'code' | 'stderr' | 'stdout', string | undefined>>
  if (code === 'ENOENT') return 'npm is not on the PATH; install it beside Node'
  const lines = `${stderr}\n${stdout}`.split('\n').filter((line) => line.trim() !== '' && !/complete log|debug-0\.log/.test(line))
  return lines.slice(0, 6).join(' ').slice(0, 1_000) || message
}
