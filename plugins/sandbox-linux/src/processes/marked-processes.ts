import { setTimeout as delay } from 'node:timers/promises'
import { type ProcessTable, readProcessTable, treeOf } from './process-table.js'
import { readProc } from './read-proc.js'

/** How long launchers may take to end their trees by themselves, and the machine to end the rest. */
const ownEndMs = 2_000
const endLimitMs = 5_000

/**
 * The part of a launcher's command line that names the files of its run. It stays for as long as the
 * launcher lives, also when the service is dead, and only the service writes it.
 */
export const markOf = (folder: string): string => `--environment\0${folder}/`

/**
 * Ends the launchers with this mark and everything below them. `ended`: how many processes were
 * there; `left`: how many still are.
 */
export async function endMarked(mark: string): Promise<{ readonly ended: number; readonly left: number }> {
  const began = Date.now()
  let most = 0
  for (;;) {
    const table = await readProcessTable()
    const launchers = await findMarked(table, mark)
    const trees = new Set(launchers.flatMap((launcher) => treeOf(table, launcher).map(({ pid }) => pid)))
    most = Math.max(most, trees.size)
    const waited = Date.now() - began
    if (trees.size === 0 || waited > endLimitMs) return { ended: most, left: trees.size }
    // By this signal a launcher ends what it has, whatever that forks meanwhile.
    if (waited < ownEndMs) for (const pid of launchers) signalOne(pid, 'SIGALRM')
    else for (const pid of trees) signalOne(pid, 'SIGKILL')
    await delay(5)
  }
}

/** Everyone can read a command line and give it to a process of their own, which is none of ours. */
async function findMarked(table: ProcessTable, mark: string): Promise<readonly number[]> {
  const lines = await readProc('cmdline', table.keys())
  const marked = [...lines].filter(([, line]) => line.includes(mark)).map(([pid]) => pid)
  const own = process.getuid?.()
  if (own === 0 || marked.length === 0) return marked
  const states = await readProc('status', marked)
  return marked.filter((pid) => Number(/^Uid:\t(\d+)/m.exec(states.get(pid) ?? '')?.[1]) === own)
}

/** Ignores a process that has ended. */
export function signalOne(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
