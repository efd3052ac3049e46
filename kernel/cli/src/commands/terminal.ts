import { styleText } from 'node:util'
import { notInteractiveError } from './errors.js'
import { createLineReader, type LineReader, type ReadLineOptions } from './line-reader.js'

/** A style of text, on terminals that support styles. */
export type TextStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** The terminal that a command was started from. */
export interface Terminal {
  /** Whether a person is there: standard input and output are both a terminal. */
  readonly interactive: boolean
  /** Writes a line to standard output. */
  line(text: string): void
  /** Writes without a line end. */
  write(text: string): void
  /** Writes a line to standard error. */
  problem(text: string): void
  /** Returns the text in a style if the terminal supports it. */
  style(kind: TextStyle, text: string): string
  /**
   * The next line of standard input; `undefined` at its end. Also `undefined` for a secret that the
   * terminal would show: it is not read.
   */
  readLine(options?: ReadLineOptions): Promise<string | undefined>
}

/** The process's own terminal. `close` ends reading from it. */
export function processTerminal(): Terminal & { close(): void } {
  const { stdin, stdout, stderr } = process
  const interactive = stdin.isTTY === true && stdout.isTTY === true
  const styled = stdout.isTTY === true && !process.env['NO_COLOR']
  let reader: LineReader | undefined
  return {
    interactive,
    line: (text) => void stdout.write(`${text}\n`),
    write: (text) => void stdout.write(text),
    problem: (text) => void stderr.write(`${text}\n`),
    // `styled` already covers the stream.
    style: (kind, text) => (styled ? styleText(kind, text, { validateStream: false }) : text),
    readLine(options = {}) {
      if (options.secret === true && stdin.isTTY && !interactive) return Promise.resolve(undefined)
      reader ??= createLineReader({ input: stdin, output: stdout, interactive })
      return reader.next(options)
    },
    close: () => reader?.close(),
  }
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
