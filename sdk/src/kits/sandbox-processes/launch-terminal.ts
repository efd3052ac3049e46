import { constants } from 'node:os'
import type { TerminalSize } from '../../contracts/sandbox-driver/sandbox-driver.js'
import type { LaunchedProcess, LaunchPlan } from './launch-piped.js'
import { type ProcessOutput, splitOutput } from './output.js'

/** A terminal with a program in it, as `spawn` of node-pty makes it. */
export interface OpenedTerminal {
  /** Of the program. */
  readonly pid: number
  /** Output, as bytes if the encoding is null. */
  onData(listener: (data: unknown) => void): unknown
  /** The end of the program. */
  onExit(listener: (exit: { readonly exitCode: number; readonly signal?: number }) => void): unknown
  /** Types into it. */
  write(data: Buffer): void
  /** Stops reading its output. */
  pause(): void
  /** Goes on reading. */
  resume(): void
  /** Changes its size. */
  resize(columns: number, rows: number): void
}

/** Opens a terminal: `spawn` of node-pty, which a driver brings. */
export type OpenTerminal = (
  program: string,
  given: string[],
  options: { name: string; cols: number; rows: number; cwd: string; env: Record<string, string>; encoding: null },
) => OpenedTerminal

/** So much may wait for its reader before the terminal is paused, in bytes. */
const maxWaitingBytes = 131_072

/**
 * Starts a program with a terminal. What comes from `input` is typed; its end types nothing.
 * @throws what `openTerminal` throws.
 */
export function launchTerminal(
  openTerminal: OpenTerminal,
  { command, directory, environment }: LaunchPlan,
  size: TerminalSize,
  input: AsyncIterable<Uint8Array> | undefined,
): LaunchedProcess {
  const [program, ...given] = command
  const terminal = openTerminal(program, given, {
    ...{ name: 'xterm-256color', cols: size.columns, rows: size.rows, cwd: directory, encoding: null },
    env: { ...environment },
  })
  const queue: Buffer[] = []
  let waiting = 0
  let ended = false
  let wake = (): void => undefined
  terminal.onData((data) => {
    queue.push(data as Buffer)
    waiting += (data as Buffer).length
    if (waiting > maxWaitingBytes) terminal.pause()
    wake()
  })
  const exited = new Promise<Awaited<LaunchedProcess['exited']>>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      ended = true
      wake()
      resolve(signal ? { code: null, signal: signalOf(signal) } : { code: exitCode, signal: null })
    })
  })
  async function* read(): AsyncGenerator<ProcessOutput> {
    for (;;) {
      const next = queue.shift()
      if (next !== undefined) {
        waiting -= next.length
        if (waiting <= maxWaitingBytes && !ended) terminal.resume()
        yield* splitOutput('terminal', next)
      } else if (ended) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  if (input !== undefined) void type(terminal, input, () => ended)
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

/** Types what comes until the program or the input ends; an input that fails ends too. */
async function type(terminal: OpenedTerminal, input: AsyncIterable<Uint8Array>, hasEnded: () => boolean): Promise<void> {
  try {
    for await (const bytes of input) {
      if (hasEnded()) return
      terminal.write(Buffer.from(bytes))
    }
  } catch {
    // The program sees no more input; its own end is reported by its exit.
  }
}

const signalOf = (number: number): NodeJS.Signals =>
  (Object.entries(constants.signals).find(([, value]) => value === number)?.[0] as NodeJS.Signals | undefined) ?? 'SIGKILL'
