import type { Terminal } from '../commands/terminal.js'
import { main } from '../main.js'

/** What a command said and how it ended. */
export interface CommandResult {
  readonly status: number
  /** Both outputs, as they came. */
  readonly output: string
}

/**
 * Runs `agent-service` in this process: many times as quick as a process of its own, for commands
 * that end by themselves. Nobody sits at its terminal, its standard input is the line of `input` or
 * closed, and nothing is in its environment but what is given.
 */
export async function runCommandLine(
  args: readonly string[],
  options: { readonly workingDirectory: string; readonly environment: Readonly<Record<string, string>>; readonly input?: string },
): Promise<CommandResult> {
  const { input, ...place } = options
  const lines = input === undefined ? [] : [input]
  let output = ''
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
    readLine: async () => lines.shift(),
  }
  const status = await main(args, { terminal, ...place })
  return { status, output }
}
