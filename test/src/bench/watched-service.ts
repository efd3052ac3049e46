import type { ChildProcess } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { writeConfiguration } from '../support/configuration.js'
import { startChild } from './child.js'
import { startService } from './service-child.js'

/** A service whose event loop and memory are watched (Linux). */
export interface WatchedService {
  readonly url: string
  /** Restarts the measurement. */
  reset(): Promise<void>
  /**
   * The longest time that the loop was held since, in milliseconds, and the most resident memory,
   * in megabytes.
   */
  worst(): Promise<{ readonly stallMs: number; readonly peakMb: number }>
  stop(): Promise<void>
}

/** Starts it in an empty folder. `binary` is the program of another checkout, absolute. */
export async function startWatched(folder: string, upstream: string, binary: string | undefined): Promise<WatchedService> {
  const service = await startService({
    ...{ folder, upstream },
    ...(binary === undefined ? {} : { binary }),
    nodeOptions: ['--import', watcherOf(folder)],
  })
  return { url: service.url, stop: service.stop, ...watch(service.process, folder) }
}

/** This checkout's kernel with a share of event streams that is no bound. */
export async function startWatchedWithoutBound(folder: string, upstream: string): Promise<WatchedService> {
  await writeConfiguration(folder, upstream)
  const service = await startChild('./unbounded-streams-child.js', { BENCH_FOLDER: folder, BENCH_WATCHER: watcherOf(folder) })
  return { url: service.url, stop: service.stop, ...watch(service.process, folder) }
}

const fileOf = (folder: string): string => path.join(folder, 'longest-stall')

function watcherOf(folder: string): string {
  const watcher = new URL('../programs/watch-loop.js', import.meta.url)
  watcher.searchParams.set('file', fileOf(folder))
  return watcher.href
}

function watch(child: ChildProcess, folder: string): Pick<WatchedService, 'reset' | 'worst'> {
  const file = fileOf(folder)
  const ask = async (): Promise<number> => {
    await rm(file, { force: true })
    child.kill('SIGUSR2')
    for (;;) {
      const text = await readFile(file, 'utf8').catch(() => '')
      if (text !== '') return Number(text)
      await delay(20)
    }
  }
  return {
    async reset() {
      await ask()
      await writeFile(`/proc/${child.pid}/clear_refs`, '5')
    },
    async worst() {
      const stallMs = await ask()
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return { stallMs, peakMb: Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024 }
    },
  }
}
