import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** So long at most is read before other work has its turn. */
const sliceMs = 4

/**
 * A file of `/proc/<pid>` for each process, of those that can be read. They come from memory, so
 * that reading them in slices costs a fraction of what as many steps through the thread pool do.
 */
export async function readProc(file: string, pids: Iterable<number> = allPids()): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>()
  let began = performance.now()
  for (const pid of pids) {
    try {
      texts.set(pid, readFileSync(`/proc/${pid}/${file}`, 'latin1'))
    } catch {
      // It has ended, or belongs to someone else.
    }
    if (performance.now() - began < sliceMs) continue
    await nextTurn()
    began = performance.now()
  }
  return texts
}

const allPids = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
