import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import type { TerminalSize } from '../../contracts/sandbox-driver/sandbox-driver.js'
import { mergeOutput, type ProcessOutput } from './output.js'

/** How a program is started. */
export interface LaunchPlan {
  /** The program, absolute, and its arguments. */
  readonly command: readonly [program: string, ...given: string[]]
  /** The working directory. */
  readonly directory: string
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>
}

/** A program that runs, with its streams. It leads a session and a process group of its own. */
export interface LaunchedProcess {
  /** Of the process, and of its group. */
  readonly pid: number
  /** Read as it is taken: the program waits meanwhile. Ends when it has ended and all is read. */
  readonly output: AsyncIterable<ProcessOutput>
  /** How it ended. Never rejects. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  /** Ignored without a terminal, and once it has ended. */
  resize(size: TerminalSize): void
  /** Ends the output, although a process may still hold its other end. */
  close(): void
}

/**
 * Starts a program with pipes. `input` is read as the program takes it, its end closes the
 * program's input; without it that is closed at once.
 * @throws the system's error if the program cannot be started.
 */
export async function launchPiped(plan: LaunchPlan, input: AsyncIterable<Uint8Array> | undefined): Promise<LaunchedProcess> {
  const { directory, environment } = plan
  const [program, ...given] = plan.command
  const child = spawn(program, given, { cwd: directory, env: environment, stdio: 'pipe', detached: true })
  const exited = new Promise<Awaited<LaunchedProcess['exited']>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  await once(child, 'spawn')
  // A program need not read its input to the end.
  child.stdin.on('error', () => undefined)
  if (input === undefined) child.stdin.end()
  else pipeline(input, child.stdin).catch(() => undefined)
  return {
    pid: child.pid ?? 0,
    output: mergeOutput([
      ['stdout', child.stdout],
      ['stderr', child.stderr],
    ]),
    exited,
    resize: () => undefined,
    close() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}
