import type { Command } from 'commander'
import type { Line } from '../terminal/terminal.js'
import { visibleJson } from '../terminal/visible-text.js'
import { exitStatus } from './exit-status.js'
import type { Invocation } from './invocation.js'

/** What a command ends with. */
export interface Outcome {
  /** Default: 0. */
  readonly status?: number
  /** What `--json` prints. Default: nothing. */
  readonly json?: unknown
  /** What is printed otherwise. Default: nothing. */
  readonly lines?: readonly Line[]
  /** Lines for standard error, after the rest, also with `--json`. Default: none. */
  readonly notes?: readonly string[]
}

/** Options of every command whose outcome can be parsed. */
export interface OutputOptions {
  readonly json?: boolean
}

/** What commands need: where they run, and how they set the exit status. */
export interface ProgramContext extends Invocation {
  readonly setStatus: (status: number) => void
}

/**
 * Creates the action of a command, which prints the outcome and sets the exit status. Commander
 * passes arguments and options without types; the declaration of the command determines them.
 */
export type CommandAction = (work: (...words: never[]) => Promise<Outcome>) => (this: Command, ...words: unknown[]) => Promise<void>

/** Creates the actions of a program. */
export const createAction =
  ({ terminal, setStatus }: ProgramContext): CommandAction =>
  (work) =>
    async function (this: Command, ...words) {
      // The last word is the command itself.
      const { status = exitStatus.done, json, lines = [], notes = [] } = await work(...(words.slice(0, -1) as never[]))
      const { json: asJson }: OutputOptions = this.opts()
      if (asJson !== true) for (const line of lines) terminal.line(line)
      else if (json !== undefined) terminal.line(visibleJson(json, 2) ?? 'null')
      for (const note of notes) terminal.problem(note)
      setStatus(status)
    }
