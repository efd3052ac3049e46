import 'reflect-metadata'
import { ServiceError } from '@agent-service/sdk'
import { CommanderError } from 'commander'
import { exitStatus } from './exit-status.js'
import { createProgram } from './program.js'
import { processTerminal } from './terminal.js'

/** Runs the command line. Resolves to the exit status; what went wrong has been told on the terminal. */
export async function main(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal()
  let status: number = exitStatus.done
  const program = createProgram({
    terminal,
    environment: process.env,
    workingDirectory: process.cwd(),
    setStatus: (value) => (status = value),
  })
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.done : exitStatus.usage
    return tellError(error, (line) => terminal.problem(line))
  }
}

/** Writes an error for a person and gives the exit status that it ends the command with. */
export function tellError(error: unknown, line: (text: string) => void): number {
  if (ServiceError.isInstance(error)) {
    line(error.message)
    for (const problem of error.problems) line(`  ${problem.path}: ${problem.message}`)
    return error.code.startsWith('configuration_') || error.code === 'encryption_secret_refused'
      ? exitStatus.configuration
      : exitStatus.failed
  }
  line(error instanceof Error ? error.message : String(error))
  return exitStatus.failed
}
