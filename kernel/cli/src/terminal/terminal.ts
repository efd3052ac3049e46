import { notInteractiveError } from './errors.js'
import type { ReadLineOptions } from './line-reader.js'

/** A style of text, on terminals that support styles. */
export type TextStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** A line with its style. */
export interface StyledLine {
  readonly style: TextStyle
  readonly text: string
}

/** A line for a terminal. */
export type Line = string | StyledLine

/** A line in a style. */
export const styled = (style: TextStyle, text: string): StyledLine => ({ style, text })

/** Options of {@link Terminal.readLine}. */
export interface PromptOptions extends ReadLineOptions {
  /** Default: none. */
  readonly promptStyle?: TextStyle
}

/**
 * The terminal that a command was started from. Control characters in whatever is written are made
 * visible; only styles that are given as such become escape sequences.
 */
export interface Terminal {
  /** Whether a person is there: standard input and output are both a terminal. */
  readonly interactive: boolean
  /** Whether standard input is a terminal; otherwise it is a pipe, a file or closed. */
  readonly inputIsTerminal: boolean
  /** The width of the terminal on standard output now; `undefined` if there is none. */
  columns(): number | undefined
  /** Writes a line to standard output. Line feeds and tabs in it stay. */
  line(line: Line): void
  /**
   * Writes without a line end. Pieces of one text may end anywhere, also within a surrogate pair.
   */
  write(text: string, style?: TextStyle): void
  /** Writes a line to standard error. */
  problem(line: Line): void
  /**
   * Calls the listener when nothing reads standard output or error any longer. What is written then
   * is dropped, without an error.
   */
  onClosed(listener: () => void): void
  /**
   * The next line of standard input; `undefined` at its end. Also `undefined` for a secret that the
   * terminal would show: it is not read.
   */
  readLine(options?: PromptOptions): Promise<string | undefined>
  /**
   * Standard input from where it is to its end, as UTF-8. Not beside {@link readLine}.
   * @throws `input_too_large`, and the reason of the signal.
   */
  readAll(options: { readonly maxBytes: number; readonly signal?: AbortSignal }): Promise<string>
}

/**
 * Asks the person at the terminal. `instead` says what to do without one. @throws
 * `not_interactive`.
 */
export async function ask(
  terminal: Terminal,
  question: string,
  { instead, ...options }: Pick<ReadLineOptions, 'secret' | 'signal'> & { readonly instead: string },
): Promise<string> {
  const answer = terminal.interactive ? await terminal.readLine({ ...options, prompt: `${question} ` }) : undefined
  if (answer === undefined) throw notInteractiveError.create({ question, instead })
  return answer
}

/**
 * Asks for a secret, which is not shown; without a terminal, reads the first line of standard
 * input. @throws `not_interactive`.
 */
export async function askSecret(terminal: Terminal, question: string, { instead }: { readonly instead: string }): Promise<string> {
  if (terminal.interactive) return ask(terminal, question, { secret: true, instead })
  const line = await terminal.readLine({ secret: true })
  if (!line) throw notInteractiveError.create({ question, instead })
  return line
}
