import { readBytes } from '../async/index.js'
import type { ChildExit } from './child-exit.js'
import { type ChildOptions, startChild } from './start-child.js'

/** A program that is run to its end. */
export interface RunOptions extends ChildOptions {
  /** Given to it as its whole input. Default: none. */
  readonly input?: string | Uint8Array
  /** The largest output; a program that writes more is ended with `stream_too_large`. */
  readonly maxOutputBytes: number
  /** How long it may take, in milliseconds. */
  readonly maxLifeMs: number
}

/** The result of a program. */
export interface RunResult {
  /** Also of one that failed: see the status. */
  readonly exit: ChildExit
  /** All that it wrote. */
  readonly output: Uint8Array
}

/**
 * Runs a program to its end and reads its output. No process of its group remains in any case.
 * @throws `process_start_failed`, `stream_too_large`, or the signal's reason.
 */
export async function runChild(options: RunOptions): Promise<RunResult> {
  const { input, maxOutputBytes, signal, command } = options
  const child = await startChild(options)
  try {
    const given = input === undefined ? Promise.resolve() : child.write(input)
    // A program may end before it has read everything.
    const ended = given.catch(() => undefined).then(() => child.endInput())
    const output = await readBytes(child.output, { maxBytes: maxOutputBytes, what: `What “${command}” wrote`, ...(signal && { signal }) })
    await ended
    const exit = await child.exit
    signal?.throwIfAborted()
    return { exit, output }
  } finally {
    await child.stop()
  }
}
