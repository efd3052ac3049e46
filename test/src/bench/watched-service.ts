import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startService } from './service-child.js'

/** A service whose event loop and memory are watched (Linux). */
export interface WatchedService {
  readonly url: string
  /** Starts to measure anew. */
  reset(): Promise<void>
  /** The longest time that the loop was held since, in milliseconds, and the most resident memory, in megabytes. */
  worst(): Promise<{ readonly stallMs: number; readonly peakMb: number }>
  stop(): Promise<void>
}

/** Starts it in an empty folder. `binary` is the program of another checkout, absolute. */
export async function startWatched(folder: string, upstream: string, binary: string | undefined): Promise<WatchedService> {
  const file = path.join(folder, 'longest-stall')
  const watcher = new URL('../programs/watch-loop.js', import.meta.url)
  watcher.searchParams.set('file', file)
  const service = await startService({
    ...{ folder, upstream },
    ...(binary === undefined ? {} : { binary }),
    nodeOptions: ['--import', watcher.href],
  })
  const { pid } = service.process
  const ask = async (): Promise<number> => {
    await rm(file, { force: true })
    service.process.kill('SIGUSR2')
    for (;;) {
      const text = await readFile(file, 'utf8').catch(() => '')
      if (text !== '') return Number(text)
      await delay(20)
    }
  }
  return {
    url: service.url,
    async reset() {
      await ask()
      await writeFile(`/proc/${pid}/clear_refs`, '5')
    },
    async worst() {
      const stallMs = await ask()
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      return { stallMs, peakMb: Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024 }
    },
    stop: service.stop,
  }
}
