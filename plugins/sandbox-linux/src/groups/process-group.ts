import { constants } from 'node:fs'
import { readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { GroupVersion } from './group-version.js'

/** What the processes of a group have used and use, ended ones included. */
export interface GroupUsage {
  readonly cpuMs: number
  readonly memoryBytes: number
  readonly peakMemoryBytes: number | null
  readonly processes: number
}

/** The control group of one process tree. */
export interface ProcessGroup {
  /** What the tree joins before it starts. */
  readonly folders: readonly string[]
  read(): Promise<GroupUsage>
  /** Whether the kernel ended a process of it for want of memory. */
  ranOutOfMemory(): Promise<boolean>
  /** Kills every process of it. */
  kill(): Promise<void>
  /** How many processes are left. Removes the group if there are none. */
  remove(): Promise<number>
}

const waitMs = 5
const maxRounds = 200

/** The group at a path below the roots of its version; it may be gone. */
export function openProcessGroup({ roots, memory, cpu, processes, files }: GroupVersion, below: string): ProcessGroup {
  const folders = roots.map((root) => path.join(root, below))
  const text = (root: string, file: string): Promise<string> => readFile(path.join(root, below, file), 'utf8').catch(() => '')
  const pids = async (): Promise<readonly number[]> => (await text(memory, 'cgroup.procs')).split('\n').filter(Boolean).map(Number)
  return {
    folders,
    async read() {
      const peak = Number(await text(memory, files.peak))
      return {
        cpuMs: files.toMs(await text(cpu, files.cpu)),
        memoryBytes: Number(await text(memory, files.memory)),
        peakMemoryBytes: peak > 0 ? peak : null,
        processes: Number(await text(processes, 'pids.current')),
      }
    },
    ranOutOfMemory: async () => Number(/oom_kill (\d+)/.exec(await text(memory, files.events))?.[1] ?? 0) > 0,
    async kill() {
      // Version 2 kills all at once; else in rounds, since they may go on forking.
      if (await wrote(path.join(memory, below, 'cgroup.kill'), '1')) return
      for (let round = 0; round < maxRounds; round += 1) {
        const left = await pids()
        if (left.length === 0) return
        for (const pid of left) killOne(pid)
        await delay(waitMs)
      }
    },
    async remove() {
      for (let round = 0; round < maxRounds; round += 1) {
        const results = await Promise.allSettled(folders.map((folder) => rmdir(folder)))
        if (results.every((result) => result.status === 'fulfilled' || (result.reason as NodeJS.ErrnoException).code === 'ENOENT')) return 0
        // A process that is just ending still counts.
        await delay(waitMs)
      }
      return (await pids()).length
    },
  }
}

/** Writes a file that is there; false if it is not. */
export const wrote = (file: string, value: string): Promise<boolean> =>
  writeFile(file, value, { flag: constants.O_WRONLY }).then(
    () => true,
    () => false,
  )

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
