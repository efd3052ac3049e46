import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { notInteractiveError } from './errors.js'

/** The terminal that a command was started from. */
export interface Terminal {
  readonly interactive: boolean
  /** Writes a line to standard output. */
  line(text: string): void
  /** Writes without a line end. */
  write(text: string): void
  /** Writes a line to standard error. */
  problem(text: string): void
  /** Text in a style where the terminal has styles. */
  style(kind: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string): string
  /** Asks for a line. With `secret` what is typed is not shown. @throws `not_interactive`. */
  ask(question: string, options: { readonly secret?: boolean; readonly instead: string }): Promise<string>
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const

/** The process's own terminal. */
export function processTerminal(): Terminal {
  const interactive = process.stdin.isTTY === true && process.stdout.isTTY === true
  const styled = process.stdout.isTTY === true && !process.env['NO_COLOR']
  return {
    interactive,
    line: (text) => void process.stdout.write(`${text}\n`),
    write: (text) => void process.stdout.write(text),
    problem: (text) => void process.stderr.write(`${text}\n`),
    style(kind, text) {
      const [on, off] = codes[kind]
      return styled ? `\u001b[${on}m${text}\u001b[${off}m` : text
    },
    async ask(question, { secret = false, instead }) {
      if (!interactive) throw notInteractiveError.create({ question, instead })
      let hidden = false
      const output = new Writable({
        write(chunk, _encoding, done) {
          if (!hidden) process.stdout.write(chunk)
          done()
        },
      })
      const reader = createInterface({ input: process.stdin, output, terminal: true })
      try {
        const answer = reader.question(`${question} `)
        hidden = secret
        return await answer
      } finally {
        reader.close()
        if (secret) process.stdout.write('\n')
      }
    },
  }
}
