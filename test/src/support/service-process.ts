import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { lastingPort } from './lasting-port.js'

const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')
const binaryIn = (root: string): string => path.join(root, 'kernel/cli/bin/agent-service.mjs')

/** Arguments of Node with which the password hashes of a service take next to no time. */
export const cheapPasswords: readonly string[] = [
  '--require',
  fileURLToPath(new URL('../../fixtures/programs/cheap-passwords.cjs', import.meta.url)),
]

/** A service that is not ready by then hangs; how fast the machine is does not matter. */
const startLimitMs = 60_000

/** The service as a process of its own, in a folder of its own. */
export interface ServiceProcess {
  /** Where it listens now; a restart in place keeps it. */
  readonly url: string
  readonly folder: string
  readonly child: ChildProcess
  /** Every line of the log so far. */
  readonly log: readonly string[]
  /** Stops it in order; resolves to its exit status. */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
}

export interface ServiceProcessOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Used again after a restart; else a new temporary folder. */
  readonly folder?: string
  readonly arguments?: readonly string[]
  /** As for a test kernel. Default: `open`. */
  readonly registration?: 'open' | 'as-configured'
  /** A command line that runs the service's, in its environment. */
  readonly within?: readonly string[]
  /** The repository whose program runs. Default: the one of the tests. */
  readonly repository?: string
}

/** Starts the service on a port that stays its own over a restart, and waits until it is ready. */
export async function startServiceProcess(options: ServiceProcessOptions = {}): Promise<ServiceProcess> {
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), 'agent-service-')))
  const own = [process.execPath, ...cheapPasswords, binaryIn(options.repository ?? repository), 'start', ...(options.arguments ?? [])]
  const [program = process.execPath, ...words] = [...(options.within ?? []), ...own]
  const child = spawn(program, words, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      SERVICE_SERVER_DATA_DIR: path.join(folder, 'data'),
      SERVICE_SERVER_PORT: String(await lastingPort()),
      SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
      ...(options.registration === 'as-configured' ? {} : { SERVICE_AUTH_ALLOW_REGISTRATION: 'true' }),
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  const ended = once(child, 'exit')
  let url = ''
  await new Promise<void>((resolve, reject) => {
    const fail = (what: string): void => reject(new Error(`The service ${what} before it was ready:\n${log.join('\n')}`))
    // Rejects as it kills: a line that says “ready” may wait to be read, of a service that is gone.
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(`took more than ${startLimitMs} ms`)
    }, startLimitMs)
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        log.push(line)
        const readyAt = readyUrl(line)
        if (readyAt === undefined) return
        url = readyAt
        clearTimeout(timer)
        resolve()
      })
    }
    void ended.then(([status, signal]) => {
      const how = `ended with ${String(status ?? signal)}`
      clearTimeout(timer)
      if (url === '') fail(how)
      else if (!child.killed) reportEnd(how, log)
    })
  })
  return {
    get url() {
      return url
    },
    folder,
    child,
    log,
    async stop() {
      child.kill('SIGTERM')
      const [status] = (await ended) as [number | null]
      return status
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/**
 * Says that a service ended although no test ended it. A request that it no longer answers shows
 * only a refused connection.
 */
function reportEnd(how: string, log: readonly string[]): void {
  process.stderr.write(`A service ${how} by itself. The end of its log:\n${log.slice(-5).join('\n')}\n`)
}

/** Removes what a service left behind. */
export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

/** The address in the line that says that the service is ready. */
function readyUrl(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined
  const entry = JSON.parse(line) as { readonly msg?: string; readonly url?: string }
  return entry.msg === 'The service is ready.' ? entry.url : undefined
}
