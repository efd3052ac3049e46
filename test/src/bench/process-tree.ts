import type { ChildProcess } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/** What a process and everything that it started have used (Linux). */
export interface TreeCost {
  /**
   * Time of the processor, all threads together, in milliseconds. A thread that has ended is
   * forgotten.
   */
  readonly cpuMs: number
  /**
   * Resident memory in megabytes. What is mapped from files, the program above all, counts once for
   * all of them.
   */
  readonly residentMb: number
}

interface Parts {
  readonly cpuMs: number
  readonly ownMb: number
  readonly filesMb: number
}

export async function costOfTree(child: ChildProcess): Promise<TreeCost> {
  if (child.pid === undefined) throw new Error('The process was not started.')
  const { cpuMs, ownMb, filesMb } = await partsOf(child.pid)
  return { cpuMs, residentMb: ownMb + filesMb }
}

/** Time of the processor that a process itself has used, with its ended threads, in milliseconds (Linux, in steps of 10). */
export async function processorMsOf(child: ChildProcess): Promise<number> {
  const stat = await textOf(`/proc/${child.pid}/stat`)
  // Behind the name, which may hold spaces: the state is field 3, the times are fields 14 and 15.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 10
}

async function partsOf(pid: number): Promise<Parts> {
  const status = await textOf(`/proc/${pid}/status`)
  const megabytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1_024
  let cpuMs = 0
  let ownMb = megabytes('RssAnon') + megabytes('RssShmem')
  let filesMb = megabytes('RssFile')
  for (const task of await tasksOf(pid)) {
    cpuMs += Number((await textOf(`/proc/${pid}/task/${task}/schedstat`)).split(' ')[0] ?? 0) / 1e6
    for (const started of (await textOf(`/proc/${pid}/task/${task}/children`)).split(' ').filter(Boolean)) {
      const parts = await partsOf(Number(started))
      cpuMs += parts.cpuMs
      ownMb += parts.ownMb
      filesMb = Math.max(filesMb, parts.filesMb)
    }
  }
  return { cpuMs, ownMb, filesMb }
}

const tasksOf = (pid: number): Promise<readonly string[]> => readdir(`/proc/${pid}/task`).catch(nothingIfGone([]))

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(nothingIfGone(''))

/** A thread or a process may end while it is looked at. */
function nothingIfGone<Nothing>(nothing: Nothing): (error: unknown) => Nothing {
  return (error) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return nothing
    throw error
  }
}
