import type { Command } from 'commander'
import { exitStatus } from './exit-status.js'
import type { Invocation } from './invocation.js'

/** What a command ends with. */
export interface Outcome {
  /** Default: 0. */
  readonly status?: number
  /** What `--json` prints. Default: nothing. */
  readonly json?: unknown
  /** What is printed otherwise. Default: nothing. */
  readonly lines?: readonly string[]
  /** Lines for standard error, behind the rest, with `--json` too. Default: none. */
  readonly notes?: readonly string[]
}

/** Options of every command whose outcome can be parsed. */
export interface OutputOptions {
  readonly json?: boolean
}

/** What commands need: where they run, and where their exit status goes. */
export interface ProgramContext extends Invocation {
  readonly setStatus: (status: number) => void
}

/**
 * Makes the action of a command, which prints the outcome and sets the exit status. Commander gives arguments and options without types; what
 * they are follows from how the command is declared.
 */
export type CommandAction = (work: (...words: never[]) => Promise<Outcome>) => (this: Command, ...words: unknown[]) => Promise<void>

/** Makes the actions of a program. */
export const createAction =
  ({ terminal, setStatus }: ProgramContext): CommandAction =>
  (work) =>
    async function (this: Command, ...words) {
      // The last word is the command itself.
      const { status = exitStatus.done, json, lines = [], notes = [] } = await work(...(words.slice(0, -1) as never[]))
      const { json: asJson }: OutputOptions = this.opts()
      if (asJson !== true) for (const line of lines) terminal.line(line)
      else if (json !== undefined) terminal.line(JSON.stringify(json, null, 2))
      for (const note of notes) terminal.problem(note)
      setStatus(status)
    }
