import path from 'node:path'
import { type SandboxStart, sandboxStartInvalidError } from '@agent-service/sdk/services/sandbox'

/** The port of the loopback inside that leads to the service's own API. */
export const apiPort = 61_000

/** Names the file with the principal's token. */
export const tokenVariable = 'AGENT_SERVICE_TOKEN_FILE'

const own = /^(PATH|HOME|TMPDIR|TZ|LANG|LC_ALL|TERM|AGENT_SERVICE_.*|(?:HTTP|HTTPS|ALL|NO|FTP)_PROXY|NODE_USE_ENV_PROXY|LD_.*|DYLD_.*)$/i

/** The whole environment of a process. @throws `sandbox_start_invalid` for a variable that is the service's. */
export function processEnvironment(
  {
    environment = {},
    privateFiles = {},
    searchPath = [],
    terminal,
  }: Pick<SandboxStart, 'environment' | 'privateFiles' | 'searchPath' | 'terminal'>,
  { workspace, temporary, timezone }: { readonly workspace: string; readonly temporary: string; readonly timezone: string },
): Readonly<Record<string, string>> {
  const taken = [...Object.keys(environment), ...Object.keys(privateFiles)].find((name) => own.test(name))
  if (taken !== undefined) throw sandboxStartInvalidError.create({ problem: `the variable ${taken} is the service's own` })
  const first = searchPath.map((folder) => path.join(workspace, folder))
  const node = path.dirname(process.execPath)
  const folders = [...first, '/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin']
  return {
    ...environment,
    PATH: [...new Set([...first, node, ...folders])].join(':'),
    HOME: workspace,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    TZ: timezone,
    ...(terminal === undefined ? {} : { TERM: 'xterm-256color' }),
    AGENT_SERVICE_URL: `http://127.0.0.1:${apiPort}`,
  }
}
