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
  /** Asks for a secret, which is not shown; where there is no terminal, it is the first line of standard input. @throws `not_interactive`. */
  askSecret(question: string, options: { readonly instead: string }): Promise<string>
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const

/** The process's own terminal. */
export function processTerminal(): Terminal {
  const interactive = process.stdin.isTTY === true && process.stdout.isTTY === true
  const styled = process.stdout.isTTY === true && !process.env['NO_COLOR']
  const terminal: Terminal = {
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
    async askSecret(question, { instead }) {
      if (interactive) return terminal.ask(question, { secret: true, instead })
      const line = await firstLineOfInput()
      if (line === '') throw notInteractiveError.create({ question, instead })
      return line
    },
  }
  return terminal
}

/** At most 64 KiB, without its end; empty where standard input is closed or a terminal that cannot be asked. */
async function firstLineOfInput(): Promise<string> {
  if (process.stdin.isTTY) return ''
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.includes('\n') || text.length > 65_536) break
  }
  return (text.split('\n')[0] ?? '').replace(/\r$/, '')
}
