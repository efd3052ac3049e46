import type { TerminalSize } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Launched } from './launch.js'
import { chunksOf, type OutputChunk } from './output.js'

/** So much may wait for its reader before the terminal is paused, in bytes. */
const maxWaitingBytes = 131_072

/** Starts a program with a terminal. node-pty is loaded with the first one. @throws if it is not there. */
export async function launchTerminal(
  command: readonly [string, ...string[]],
  size: TerminalSize,
  input: AsyncIterable<Uint8Array> | undefined,
): Promise<Launched> {
  const { spawn } = await loadTerminals()
  const [program, ...given] = command
  const terminal = spawn(program, given, {
    ...{ name: 'xterm-256color', cols: size.columns, rows: size.rows, cwd: '/', encoding: null },
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  })
  const queue: Buffer[] = []
  let waiting = 0
  let ended = false
  let wake = (): void => undefined
  terminal.onData((data: unknown) => {
    queue.push(data as Buffer)
    waiting += (data as Buffer).length
    if (waiting > maxWaitingBytes) terminal.pause()
    wake()
  })
  const exited = new Promise<Awaited<Launched['exited']>>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      ended = true
      wake()
      resolve({ code: signal ? 128 + signal : exitCode, signal: null })
    })
  })
  async function* read(): AsyncGenerator<OutputChunk> {
    for (;;) {
      const next = queue.shift()
      if (next !== undefined) {
        waiting -= next.length
        if (waiting <= maxWaitingBytes) terminal.resume()
        yield* chunksOf('terminal', next)
      } else if (ended) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  // An input that fails has ended, as that of a pipe has.
  if (input !== undefined) type(terminal, input).catch(() => undefined)
  return {
    pid: terminal.pid,
    output: read(),
    exited,
    resize({ columns, rows }) {
      if (!ended) terminal.resize(columns, rows)
    },
    close() {
      ended = true
      wake()
    },
  }
}

/** It is compiled at the installation, and left out where that fails. */
async function loadTerminals() {
  try {
    return await import('node-pty')
  } catch (cause) {
    throw new Error('terminals need the package node-pty: install a C++ compiler, make and Python 3, then run “npm rebuild node-pty”', {
      cause,
    })
  }
}

/** Types what comes. The end of the input types nothing: whoever ends a shell types `exit`. */
async function type(terminal: { write(data: Buffer): void }, input: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const bytes of input) terminal.write(Buffer.from(bytes))
}
