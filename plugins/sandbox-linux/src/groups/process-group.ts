import { closeSync, constants, openSync, readFileSync, rmdirSync, writeSync } from 'node:fs'
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

/**
 * The control group of one process tree. Its files are the kernel's, and read and written
 * synchronously: a way through the thread pool takes longer than each of them.
 */
export interface ProcessGroup {
  /** What the tree joins before it starts. */
  readonly folders: readonly string[]
  read(): GroupUsage
  /** Whether the kernel ended a process of it for want of memory. */
  ranOutOfMemory(): boolean
  /** Kills every process of it. */
  kill(): Promise<void>
  /** How many processes are left. Removes the group if there are none. */
  remove(): Promise<number>
}

/** A namespace ends within a millisecond or two of its first process, so that the first waits are short. */
const waitMs = (round: number): number => Math.min(1 + round, 5)
const maxRounds = 200

/** The group at a path below the roots of its version; it may be gone. */
export function openProcessGroup({ roots, memory, cpu, processes, files }: GroupVersion, below: string): ProcessGroup {
  const folders = roots.map((root) => path.join(root, below))
  const text = (root: string, file: string): string => readOrEmpty(path.join(root, below, file))
  const pids = (): readonly number[] => text(memory, 'cgroup.procs').split('\n').filter(Boolean).map(Number)
  return {
    folders,
    read() {
      const peak = Number(text(memory, files.peak))
      return {
        cpuMs: files.toMs(text(cpu, files.cpu)),
        memoryBytes: Number(text(memory, files.memory)),
        peakMemoryBytes: peak > 0 ? peak : null,
        processes: Number(text(processes, 'pids.current')),
      }
    },
    ranOutOfMemory: () => Number(/oom_kill (\d+)/.exec(text(memory, files.events))?.[1] ?? 0) > 0,
    async kill() {
      // Version 2 kills all at once; else in rounds, in which none of them may fork.
      if (wrote(path.join(memory, below, 'cgroup.kill'), '1')) return
      wrote(path.join(processes, below, 'pids.max'), '0')
      for (let round = 0; round < maxRounds; round += 1) {
        const left = pids()
        if (left.length === 0) return
        for (const pid of left) killOne(pid)
        await delay(waitMs(round))
      }
    },
    async remove() {
      for (let round = 0; round < maxRounds; round += 1) {
        // One that has been removed before is not there.
        if (folders.map(removed).every((isGone) => isGone)) return 0
        // A process that is just ending still counts.
        await delay(waitMs(round))
      }
      return pids().length
    },
  }
}

/** Writes a file that is there; false if it is not. */
export function wrote(file: string, value: string): boolean {
  try {
    const handle = openSync(file, constants.O_WRONLY)
    try {
      writeSync(handle, value)
    } finally {
      closeSync(handle)
    }
    return true
  } catch {
    return false
  }
}

/** What is not there has counted nothing. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Removes a group; false if it still has processes. */
export function removed(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
