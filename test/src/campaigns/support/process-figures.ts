import { readFile } from 'node:fs/promises'

/** What a process takes, looked up once a second. */
export interface ProcessFigures {
  /** Resident memory in MiB, in order of time. */
  readonly memory: readonly number[]
  /** The mean share of one core since the start of the watch, in per cent. */
  cpuPercent(): Promise<number>
  stop(): void
}

/** Ticks of a second in `/proc/<pid>/stat`. */
const ticksPerSecond = 100

export async function watchProcess(pid: number): Promise<ProcessFigures> {
  const memory: number[] = []
  const cpuSeconds = async (): Promise<number> => {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  }
  const look = async (): Promise<void> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    memory.push(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
  }
  const startedAt = performance.now()
  const before = await cpuSeconds()
  // A process that has ended has nothing more to say.
  const timer = setInterval(() => void look().catch(() => clearInterval(timer)), 1_000)
  return {
    memory,
    cpuPercent: async () => (((await cpuSeconds()) - before) / ((performance.now() - startedAt) / 1_000)) * 100,
    stop: () => clearInterval(timer),
  }
}
