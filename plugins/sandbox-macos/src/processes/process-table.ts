import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** A process of the machine, by one reading of ps(1). */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  /** Its process group. */
  readonly group: number
  readonly memoryBytes: number
  /** Its own, without that of its children. */
  readonly cpuMs: number
  /** In milliseconds since 1970, to a second or two. */
  readonly startedAt: number
}

/** All processes but those that have ended and are only waited for. */
export type ProcessTable = readonly ProcessEntry[]

const columns = 'pid=,ppid=,pgid=,stat=,rss=,time=,lstart='
const readLimitMs = 5_000
const maxBytes = 16 * 1024 * 1024

/** All processes that ps shows. @throws if ps cannot be run. */
export async function readProcessTable(): Promise<ProcessTable> {
  const options = { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, timeout: readLimitMs, maxBuffer: maxBytes }
  return parseProcessTable((await execute('ps', ['-axo', columns], options)).stdout)
}

export const parseProcessTable = (text: string): ProcessTable =>
  text.split('\n').flatMap((line) => {
    const [pid, parent, group, state = 'Z', kibibytes, time = '', ...started] = line.trim().split(/\s+/)
    if (state.startsWith('Z')) return []
    return [
      {
        ...{ pid: Number(pid), parent: Number(parent), group: Number(group), memoryBytes: Number(kibibytes) * 1_024 },
        ...{ cpuMs: msOfTime(time), startedAt: Date.parse(started.join(' ')) },
      },
    ]
  })

/** `12:34.56` on macOS, `1-02:03:04` elsewhere. */
function msOfTime(time: string): number {
  const [rest = '', days = '0'] = time.split('-').reverse()
  const seconds = rest.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Math.round((Number(days) * 86_400 + seconds) * 1_000)
}
