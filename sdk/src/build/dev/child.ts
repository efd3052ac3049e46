import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A program that runs beside this one. */
export interface Child {
  /** Resolves with its exit status; null if a signal ended it. Never rejects. */
  readonly ended: Promise<number | null>
  /** Asks it to end, and ends it by force after ten seconds. Resolves when it has ended. */
  stop(): Promise<void>
}

/** How a child is started. */
export interface ChildOptions {
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** It hands its work to a program of its own, which is asked to end too. Default: it ends that program itself. */
  readonly leads?: boolean
  /** Gets each line that it writes. */
  onLine(line: string): void
}

/** Starts a Node program. */
export function startChild(program: readonly string[], { cwd, environment, leads = false, onLine }: ChildOptions): Child {
  const child = spawn(process.execPath, [...program], {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The leader of a group of its own, so that a signal reaches all of it.
    detached: leads,
  })
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine)
  const ended = endOf(child, onLine)
  return {
    ended,
    async stop() {
      const signal = (name: NodeJS.Signals): boolean => (leads ? signalGroup(child, name) : child.kill(name))
      signal('SIGTERM')
      const force = setTimeout(() => signal('SIGKILL'), 10_000)
      await ended
      clearTimeout(force)
    },
  }
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): boolean {
  try {
    return pid !== undefined && process.kill(-pid, name)
  } catch (error) {
    // All of it has ended already.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

async function endOf(child: ChildProcess, onLine: (line: string) => void): Promise<number | null> {
  try {
    const [status] = (await once(child, 'close')) as [number | null]
    return status
  } catch (error) {
    onLine(`It could not be started: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
}
