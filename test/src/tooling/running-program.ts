import { spawn } from 'node:child_process'

/**
 * How a program ended: its exit status (null after a signal), and what it wrote to both streams, in
 * order.
 */
export interface ProgramResult {
  readonly code: number | null
  readonly output: string
}

/** A program that was started: `ended` resolves when it has ended and its streams are closed. */
export interface RunningProgram {
  readonly ended: Promise<ProgramResult>
  signal(name: NodeJS.Signals): void
  /** Resolves when the output fits the pattern; rejects when the program ends before. */
  printed(pattern: RegExp): Promise<void>
}

/**
 * Starts Node in `folder` without standard input and without the variables that npm sets for its
 * children.
 */
export function startNode(folder: string, args: readonly string[], environment: Readonly<Record<string, string>>): RunningProgram {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|REQUIRE_FIXTURES$|FIXTURES_DIR$)/i.test(name)),
  )
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...inherited, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
  const waiting = new Set<() => void>()
  let output = ''
  const collect = (piece: string): void => {
    output += piece
    for (const look of waiting) look()
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const ended = new Promise<ProgramResult>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
  const printed = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!pattern.test(output)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
      ended.then(() => reject(new Error(`the program ended without printing ${pattern}: ${output}`)), reject)
    })
  return { ended, signal: (name) => child.kill(name), printed }
}
