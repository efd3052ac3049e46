import { Worker } from 'node:worker_threads'
import { watchRunningPlugin } from '@agent-service/kernel-core/plugins/start'
import type { Disposer } from '@agent-service/sdk'
import type { Kernel } from '../composition/start-kernel.js'
import { type WatchdogData, watchdogProgram } from './stop-watchdog-program.js'

/** How long one thing may keep the thread busy during a stop, in seconds: as long as a disposer may take. */
const maxBusySeconds = 10

const beatMs = 200

/** Ends a process whose stop takes too long, also if its thread is busy for ever. */
export interface StopWatchdog {
  /** From now on {@link begin} watches the stop of this kernel. */
  watches(kernel: Kernel): void
  /** The stop begins. Does nothing without a kernel or if it has begun. */
  begin(): void
  /** The stop is over and the process goes on. */
  end(): Promise<void>
}

/** Costs nothing before the stop: its thread begins with that. */
export function createStopWatchdog(): StopWatchdog {
  let watched: Kernel | undefined
  let stopWatching: Disposer | undefined
  return {
    watches(kernel) {
      watched = kernel
    },
    begin() {
      if (watched !== undefined) stopWatching ??= watchStopOf(watched)
    },
    async end() {
      await stopWatching?.()
      stopWatching = undefined
      watched = undefined
    },
  }
}

function watchStopOf({ stopLimitSecs, report, serviceLog }: Kernel): Disposer {
  const pluginIds = report.map(({ id }) => id)
  const shared = new Int32Array(new SharedArrayBuffer(8))
  Atomics.store(shared, 1, -1)
  const workerData: WatchdogData = { shared, pluginIds, maxSeconds: stopLimitSecs, maxBusySeconds, json: !process.stdout.isTTY }
  // It gets no environment, and does not run what was preloaded into this thread.
  const worker = new Worker(watchdogProgram, { eval: true, workerData, execArgv: [], env: {} })
  worker.unref()
  worker.on('error', (error) => serviceLog.logger.warn('Nothing watches how long the stop takes: its thread failed.', { error }))
  const beat = setInterval(() => Atomics.add(shared, 0, 1), beatMs).unref()
  const unwatch = watchRunningPlugin((id) => Atomics.store(shared, 1, id === undefined ? -1 : pluginIds.indexOf(id)))
  return async () => {
    clearInterval(beat)
    await unwatch()
    await worker.terminate()
  }
}
