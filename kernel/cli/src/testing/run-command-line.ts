import { type MainOptions, main } from '../main.js'
import type { Line, Terminal } from '../terminal/terminal.js'
import { visibleText } from '../terminal/visible-text.js'

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
  options: Pick<MainOptions, 'workingDirectory'> &
    Partial<Pick<MainOptions, 'bundle'>> & { readonly environment: Readonly<Record<string, string>>; readonly input?: string },
): Promise<CommandResult> {
  const { input, ...place } = options
  const lines = input === undefined ? [] : [input]
  let output = ''
  const write = (line: Line): void => {
    output += `${visibleText(typeof line === 'string' ? line : line.text)}\n`
  }
  const terminal: Terminal = {
    interactive: false,
    inputIsTerminal: false,
    columns: () => undefined,
    line: write,
    write: (text) => {
      output += visibleText(text)
    },
    problem: write,
    onClosed: () => undefined,
    readLine: async () => lines.shift(),
    readAll: async () => lines.splice(0).join('\n'),
  }
  const status = await main(args, { terminal, ...place })
  return { status, output }
}
