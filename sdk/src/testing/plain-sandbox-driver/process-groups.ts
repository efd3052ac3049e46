import { readdir, readFile } from 'node:fs/promises'

/** What the processes of a group use together. */
export interface GroupUsage {
  readonly cpuMs: number
  readonly memoryBytes: number
  readonly processes: number
}

const ticksPerSecond = 100
const pageBytes = 4_096

/** What each of these process groups uses, by `/proc/<pid>/stat`; see proc(5). */
export async function usageOfGroups(groups: readonly number[]): Promise<ReadonlyMap<number, GroupUsage>> {
  const usage = new Map<number, GroupUsage>()
  if (groups.length === 0) return usage
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, group] = [fields[0], Number(fields[2])]
    if (state === undefined || state === 'Z' || !groups.includes(group)) continue
    const sum = usage.get(group) ?? { cpuMs: 0, memoryBytes: 0, processes: 0 }
    const ticks = [11, 12, 13, 14].reduce((total, index) => total + Number(fields[index]), 0)
    usage.set(group, {
      cpuMs: sum.cpuMs + (ticks * 1_000) / ticksPerSecond,
      memoryBytes: sum.memoryBytes + Number(fields[21]) * pageBytes,
      processes: sum.processes + 1,
    })
  }
  return usage
}

/** Sends a signal to a process group. Ignores one that has ended. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
