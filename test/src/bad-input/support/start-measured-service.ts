import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeConfiguration } from '../../support/configuration.js'
import { removeFolder } from '../../support/service-process.js'

const program = fileURLToPath(new URL('./measured-service.js', import.meta.url))
const mebibyte = 1024 * 1024

/** The service in a process of its own. Memory is in MiB. */
export interface MeasuredService {
  readonly url: string
  /**
   * What the heap holds after a full collection. Buffers outside it are seen in the resident memory
   * alone: Node's own count of them falls, even below zero, with each one that is handed to a
   * thread.
   */
  usedMemory(): Promise<number>
  /** What the process holds of the machine's memory (`VmRSS`). */
  residentMemory(): Promise<number>
  /** Reads the resident memory every 50 ms until it is stopped; gives the most that was seen. */
  watchPeak(): { stop(): Promise<number> }
  /** Stops it in order; resolves to the exit status. */
  close(): Promise<number | null>
}

export async function startMeasuredService(options: {
  readonly upstreamUrl: string
  readonly httpLimits?: Readonly<Record<string, number>>
  /** More variables of the environment: `SERVICE_…`. */
  readonly environment?: Readonly<Record<string, string>>
}): Promise<MeasuredService> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-measured-'))
  await writeConfiguration(folder, options.upstreamUrl)
  const child: ChildProcess = fork(
    program,
    [JSON.stringify({ folder, httpLimits: options.httpLimits, environment: options.environment })],
    {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
  const ended = once(child, 'exit')
  const ready = await Promise.race([
    once(child, 'message'),
    ended.then(([status]) => Promise.reject(new Error(`It ended with ${String(status)}.`))),
  ])
  const [{ url }] = ready as [{ readonly url: string }]
  const residentMemory = async (): Promise<number> => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
  }
  return {
    url,
    residentMemory,
    async usedMemory() {
      child.send('measure')
      const [{ heapUsed }] = (await once(child, 'message')) as [{ readonly heapUsed: number }]
      return heapUsed / mebibyte
    },
    watchPeak() {
      let peak = 0
      let stopped = false
      const watching = (async () => {
        while (!stopped) {
          peak = Math.max(peak, await residentMemory())
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        return peak
      })()
      return {
        stop() {
          stopped = true
          return watching
        },
      }
    },
    async close() {
      child.send('stop')
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
      const [status] = (await ended) as [number | null]
      clearTimeout(timer)
      await removeFolder(folder)
      return status
    },
  }
}
