import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { cheapPasswords } from '../../support/service-process.js'

const binary = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../../kernel/cli/bin/agent-service.mjs')
const keptLines = 200

/** How a process ended. */
export interface LifeEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** One process of a service that is killed again and again, from before it is ready on. */
export interface ServiceLife {
  readonly child: ChildProcess
  /** The address, once it is ready; `undefined` when the process ended before. */
  readonly ready: Promise<string | undefined>
  readonly ended: Promise<LifeEnd>
  /** The last lines of its log. */
  readonly log: readonly string[]
  /** Every line of its log that reports an error. */
  readonly errors: readonly string[]
  /** SIGKILL; resolves when it has ended. */
  kill(): Promise<LifeEnd>
}

/**
 * Starts the service on a free port. Its tokens stay good over its lives, since their issuer has no
 * port in it. `preload`: modules that the process runs before the service.
 */
export function startLife(options: {
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
  readonly preload?: URL | readonly URL[]
  /** Called for each line of its output that is no entry of its log. */
  readonly onLine?: (line: string) => void
}): ServiceLife {
  const { folder, environment, preload, onLine } = options
  const child = spawn(process.execPath, [...cheapPasswords, binary, 'start'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      SERVICE_SERVER_DATA_DIR: path.join(folder, 'data'),
      SERVICE_SERVER_PORT: '0',
      SERVICE_SERVER_BASE_URL: 'http://localhost:9',
      SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
      SERVICE_AUTH_ALLOW_REGISTRATION: 'true',
      SERVICE_AUTH_ACCESS_TOKEN_EXPIRY_SECS: '86400',
      UPSTREAM_KEY: 'upstream-key-0123456789',
      ...(preload === undefined
        ? {}
        : {
            NODE_OPTIONS: [preload]
              .flat()
              .map(({ href }) => `--import=${href}`)
              .join(' '),
          }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  const errors: string[] = []
  const ended = new Promise<LifeEnd>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
  const ready = new Promise<string | undefined>((resolve) => {
    const read = (line: string): void => {
      const entry = line.startsWith('{') ? entryOf(line) : undefined
      if (!entry && onLine) {
        onLine(line)
        return
      }
      log.push(line)
      if (log.length > keptLines) log.shift()
      if (entry?.level !== undefined && isError(entry.level)) errors.push(line)
      if (entry?.msg === 'The service is ready.') resolve(entry.url)
    }
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', read)
    void ended.then(() => resolve(undefined))
  })
  return {
    child,
    ready,
    ended,
    log,
    errors,
    kill() {
      child.kill('SIGKILL')
      return ended
    },
  }
}

interface LogEntry {
  readonly msg?: string
  readonly url?: string
  readonly level?: number | string
}

/** The last line of a killed process may be cut. */
function entryOf(line: string): LogEntry | undefined {
  try {
    return JSON.parse(line) as LogEntry
  } catch {
    return undefined
  }
}

const isError = (level: number | string): boolean => (typeof level === 'number' ? level >= 50 : level === 'error' || level === 'fatal')
