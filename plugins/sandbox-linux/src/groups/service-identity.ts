import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * A name for what a driver of this process leaves on the machine. Its first parts are the number of
 * the process and the time of its start, so that a later service can see whether it has ended.
 */
export const createIdentity = (): string => `${process.pid}-${startOf(process.pid) ?? 0}-${randomBytes(4).toString('hex')}`

/** Whether the process that made the name still runs; `undefined` for a name that is none. */
export function isAlive(identity: string): boolean | undefined {
  const match = /^(\d{1,10})-(\d{1,20})-[0-9a-f]{8}$/.exec(identity)
  if (match === null) return undefined
  return startOf(Number(match[1])) === match[2]
}

/** When a process was started, in ticks since the machine's start; see proc(5). */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
