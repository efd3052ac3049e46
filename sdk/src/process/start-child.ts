import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { abortable, onAbort, settlesWithin, withTimeLimit } from '../async/index.js'
import type { ChildExit } from './child-exit.js'
import { type ChildEnvironment, environmentOf } from './environment.js'
import { processGoneError, processStartError } from './errors.js'
import { createTail } from './tail.js'

/**
 * How long pieces of output are waited for after a child has ended: another process that holds its
 * pipe may never close it.
 */
const drainMs = 1_000

/** A program to be run. */
export interface ChildOptions {
  /** A program, by name or by path. No shell is between. */
  readonly command: string
  /** Its arguments. Everyone on the machine can read them: no secrets. Default: none. */
  readonly args?: readonly string[]
  /** The folder that it runs in. Default: that of the service. */
  readonly cwd?: string
  /** Default: {@link basicVariables}. */
  readonly environment?: ChildEnvironment
  /** How much of the end of its error output is kept. Default 16 KiB. */
  readonly maxErrorBytes?: number
  /** Called with each piece of its error output, for logs. Default: it is only kept. */
  readonly onErrorText?: (text: string) => void
  /** How long it has to end after each request to end, in milliseconds. Default 5,000. */
  readonly graceMs?: number
  /** How long it may live, in milliseconds. Default: as long as it likes. */
  readonly maxLifeMs?: number
  /** Stops it when it is aborted. Default: only {@link Child.stop} does. */
  readonly signal?: AbortSignal
}

/** A child that runs, in a process group of its own. */
export interface Child {
  /** Of the child, and of its group. */
  readonly pid: number
  /**
   * What it writes. Read once; the child waits while nothing reads. Ends with the child, even if
   * something that it left behind holds the pipe.
   */
  readonly output: AsyncIterable<Uint8Array>
  /**
   * Writes to its input and resolves once the child's pipe has taken it. One call after the other.
   * @throws `process_gone`, or the signal's reason.
   */
  write(bytes: Uint8Array | string, options?: { readonly signal?: AbortSignal }): Promise<void>
  /** Closes its input, which many programs end after. */
  endInput(): void
  /** Resolves when it has ended and nothing of its group is left. Never rejects. */
  readonly exit: Promise<ChildExit>
  /**
   * Ends it with everything in its group: closes its input and waits, sends SIGTERM and waits,
   * sends SIGKILL. May be called more than once, and after its end. Processes that moved to a group
   * of their own are out of reach: confine what is not trusted.
   */
  stop(): Promise<ChildExit>
}

/**
 * Starts a program. Resolves once it runs. @throws `process_start_failed`, `environment_secret`, or
 * the signal's reason.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { command, args = [], cwd, environment, signal } = options
  signal?.throwIfAborted()
  const settings = { ...(cwd !== undefined && { cwd }), env: { ...environmentOf(environment) }, detached: true } as const
  const child = await spawned(command, () => spawn(command, args, { ...settings, stdio: 'pipe' }))
  return watchChild(child, options)
}

async function spawned(command: string, start: () => ChildProcessWithoutNullStreams): Promise<ChildProcessWithoutNullStreams> {
  try {
    const child = start()
    await once(child, 'spawn')
    return child
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason =
      code === 'ENOENT' ? 'it, or the folder to run it in, does not exist' : code === 'EACCES' ? 'it may not be run' : String(code)
    throw processStartError.create({ command, reason }, { cause: error })
  }
}

function watchChild(child: ChildProcessWithoutNullStreams, options: ChildOptions): Child {
  const { command, graceMs = 5_000, maxErrorBytes = 16 * 1024, maxLifeMs, onErrorText, signal } = options
  const { pid = Number.NaN } = child
  const started = performance.now()
  const tail = createTail(maxErrorBytes)
  let why: ChildExit['reason'] | undefined
  let stopping: Promise<ChildExit> | undefined

  // Every failure of a pipe is followed by the end of the child, or reported by the write that it
  // belongs to.
  for (const stream of [child.stdin, child.stdout, child.stderr, child]) stream.on('error', () => undefined)
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail.add(text)
    onErrorText?.(text)
  })
  const errorsRead = new Promise<void>((resolve) => child.stderr.once('close', resolve))
  const exit = exitOf(child).then(async ({ code, by }): Promise<ChildExit> => {
    const lifeMs = performance.now() - started
    clearTimeout(life)
    forget()
    signalGroup(pid, 'SIGKILL')
    if (!(await settlesWithin(errorsRead, { limitMs: drainMs }))) child.stderr.destroy()
    child.stdin.destroy()
    return { reason: why ?? (by === null ? 'exited' : 'signalled'), code, signal: by, errorText: tail.text(), lifeMs }
  })
  const stop = (reason: ChildExit['reason']): Promise<ChildExit> => {
    why ??= reason
    stopping ??= endGroup({ pid, child, exit, graceMs })
    return stopping
  }
  const life = maxLifeMs === undefined ? undefined : setTimeout(() => void stop('overran'), maxLifeMs)
  const forget = onAbort(signal, () => void stop('aborted'))

  return {
    pid,
    output: readOutput(child.stdout, exit),
    write: (bytes, { signal: writing } = {}) => abortable(() => writeTo(child, command, bytes), writing),
    endInput: () => void child.stdin.end(),
    exit,
    stop: () => (child.exitCode === null && child.signalCode === null ? stop('stopped') : exit),
  }
}

/** Closes the input, then SIGTERM, then SIGKILL, each with its time. */
async function endGroup(means: {
  readonly pid: number
  readonly child: ChildProcessWithoutNullStreams
  readonly exit: Promise<ChildExit>
  readonly graceMs: number
}): Promise<ChildExit> {
  const { pid, child, exit, graceMs } = means
  child.stdin.end()
  if (await settlesWithin(exit, { limitMs: graceMs })) return exit
  signalGroup(pid, 'SIGTERM')
  if (await settlesWithin(exit, { limitMs: graceMs })) return exit
  signalGroup(pid, 'SIGKILL')
  return exit
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // macOS refuses (EPERM) if only zombies are left.
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

const exitOf = (child: ChildProcessWithoutNullStreams): Promise<{ readonly code: number | null; readonly by: string | null }> =>
  new Promise((resolve) => {
    child.once('exit', (code, by) => resolve({ code, by }))
  })

/** The end of the child closes its input, which fails what waits to be written. */
async function writeTo(child: ChildProcessWithoutNullStreams, command: string, bytes: Uint8Array | string): Promise<void> {
  const gone = (reason: string): Error => processGoneError.create({ what: `“${command}”`, reason })
  if (!child.stdin.writable) throw gone('its input is closed.')
  await new Promise<void>((resolve, reject) => {
    child.stdin.write(bytes, (error) => (error ? reject(gone('it does not read its input any more.')) : resolve()))
  })
}

async function* readOutput(stdout: Readable, exit: Promise<ChildExit>): AsyncGenerator<Uint8Array> {
  const pieces = stdout[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  const over = new AbortController()
  void exit.then(() => over.abort())
  try {
    for (;;) {
      const next = pieces.next()
      const result = await abortable(next, over.signal).catch(() => lastOf(next))
      if (!result || result.done) return
      yield result.value
    }
  } finally {
    stdout.destroy()
  }
}

/** What was still in the pipe when the child ended. */
const lastOf = <T>(next: Promise<T>): Promise<T | undefined> => withTimeLimit(() => next, { limitMs: drainMs }).catch(() => undefined)
