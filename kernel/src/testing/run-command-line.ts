import { main } from '../cli/main.js'
import type { Terminal } from '../cli/terminal.js'

/** What a command said and how it ended. */
export interface CommandResult {
  readonly status: number
  /** Both outputs, as they came. */
  readonly output: string
}

/**
 * Runs `agent-service` in this process: many times as quick as a process of its own, for commands that end by themselves. Nobody sits at its
 * terminal, and nothing is in its environment but what is given.
 */
export async function runCommandLine(
  args: readonly string[],
  place: { readonly workingDirectory: string; readonly environment: Readonly<Record<string, string>> },
): Promise<CommandResult> {
  let output = ''
  const nobody = (): Promise<never> => Promise.reject(new Error('A command of a test asked for something.'))
  const terminal: Terminal = {
    interactive: false,
    line: (text) => {
      output += `${text}\n`
    },
    write: (text) => {
      output += text
    },
    problem: (text) => {
      output += `${text}\n`
    },
    style: (_kind, text) => text,
    ask: nobody,
    askSecret: nobody,
  }
  const status = await main(args, { terminal, ...place })
  return { status, output }
}
