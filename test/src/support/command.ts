import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const binary = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../kernel/cli/bin/agent-service.mjs')

/** A command that runs, with its terminal replaced by pipes. */
export interface RunningCommand {
  readonly child: ChildProcess
  /** Both outputs, as they came. */
  readonly output: () => string
  readonly standardOutput: () => string
  readonly standardError: () => string
  /**
   * Resolves once the output holds this text. Rejects after a minute, or when the command ends without
   * it.
   */
  shows(text: string): Promise<void>
  say(line: string): void
  /** Resolves to the exit status. */
  readonly ended: Promise<number | null>
}

/** Runs `agent-service` in a folder, with nothing in its environment but what is given. */
export function runCommand(folder: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): RunningCommand {
  const child = spawn(process.execPath, [binary, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, NO_COLOR: '1', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let text = ''
  const written = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      written[name] += chunk
      for (const listener of [...listeners]) listener()
    })
  }
  const ended = once(child, 'close').then(([status]) => status as number | null)
  return {
    child,
    output: () => text,
    standardOutput: () => written.stdout,
    standardError: () => written.stderr,
    say: (line) => void child.stdin.write(`${line}\n`),
    ended,
    shows: (wanted) =>
      new Promise((resolve, reject) => {
        const fail = (why: string): void => finish(() => reject(new Error(`“${wanted}” ${why}. The output was:\n${text}`)))
        const timer = setTimeout(() => fail('did not come within a minute'), 60_000)
        const finish = (settle: () => void): void => {
          clearTimeout(timer)
          listeners.delete(look)
          settle()
        }
        const look = (): void => {
          if (text.includes(wanted)) finish(resolve)
        }
        listeners.add(look)
        void ended.then(() => fail('did not come before the command ended'))
        look()
      }),
  }
}
