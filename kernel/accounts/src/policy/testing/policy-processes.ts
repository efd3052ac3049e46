import { readdir, readFile } from 'node:fs/promises'
import { eventually } from '@agent-service/sdk/testing'

/** The ids of the processes that hold an engine and were started by another (Linux). */
export async function policyProcessesOf(pid: number): Promise<readonly number[]> {
  const found: number[] = []
  for (const task of await readdir(`/proc/${pid}/task`)) {
    const children = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8')
    for (const child of children.split(' ').filter(Boolean).map(Number)) {
      const command = await textOf(`/proc/${child}/cmdline`)
      if (command.includes('policy-program.js')) found.push(child)
    }
  }
  return found
}

/** Whether a process still runs; one that has ended and waits for its parent does not (Linux). */
export async function isRunning(pid: number): Promise<boolean> {
  const status = await textOf(`/proc/${pid}/stat`)
  return status !== '' && !/\) [ZX] /.test(status)
}

/**
 * The resident memory of a process in bytes, and how much of it no other process shares; 0 if it
 * has ended (Linux).
 */
export async function memoryOf(pid: number): Promise<{ readonly resident: number; readonly own: number }> {
  const text = await textOf(`/proc/${pid}/smaps_rollup`)
  const of = (name: string): number => 1_024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)
  return { resident: of('Rss'), own: of('Private_Clean') + of('Private_Dirty') }
}

/** Resolves once a process has ended (Linux). */
export async function untilEnded(pid: number): Promise<void> {
  await eventually(async () => !(await isRunning(pid)), { what: `the end of the process ${pid}` })
}

/** The text of a file of the system; empty if its process has ended. */
const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return ''
    throw error
  })
