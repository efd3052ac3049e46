import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import type { TerminalSize } from '@agent-service/sdk/contracts/sandbox-driver'
import { createOutput, type OutputChunk } from './output.js'

/** A program that runs, with its streams. */
export interface Launched {
  readonly pid: number
  /** Read as it is taken: the program waits meanwhile. Ends when it has ended and all is read. */
  readonly output: AsyncIterable<OutputChunk>
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  resize(size: TerminalSize): void
  /** Ends the output, although someone may still hold its other end. */
  close(): void
}

/** The launcher's own environment. The program's comes from a file that is read inside. */
const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }

/** Starts a program with pipes. @throws if it cannot be started. */
export async function launchPiped(
  command: readonly [string, ...string[]],
  input: AsyncIterable<Uint8Array> | undefined,
): Promise<Launched> {
  const [program, ...given] = command
  const child = spawn(program, given, { cwd: '/', env: environment, stdio: 'pipe' })
  await once(child, 'spawn')
  // A program need not read its input to the end.
  child.stdin.on('error', () => undefined)
  if (input === undefined) child.stdin.end()
  else pipeline(input, child.stdin).catch(() => undefined)
  return {
    pid: child.pid ?? 0,
    output: createOutput([
      ['stdout', child.stdout],
      ['stderr', child.stderr],
    ]),
    exited: once(child, 'exit').then(([code, signal]) => ({ code: code as number | null, signal: signal as NodeJS.Signals | null })),
    resize: () => undefined,
    close() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}
