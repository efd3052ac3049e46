/** What the watchdog's thread gets. */
export interface WatchdogData {
  /** Two integers: a count that grows while the service's thread turns, and the index of the plugin whose code runs, or -1. */
  readonly shared: Int32Array
  readonly pluginIds: readonly string[]
  /** How long the stop may take. */
  readonly maxSeconds: number
  /** How long the thread may be busy with one thing meanwhile. */
  readonly maxBusySeconds: number
  /** Whether the log is lines of JSON. */
  readonly json: boolean
}

/**
 * The program of the watchdog's thread, as text, so that it needs no file beside the bundle. It
 * counts its own seconds: a machine that slept does not make them pass.
 */
export const watchdogProgram = `
const { writeSync } = require('node:fs')
const { workerData } = require('node:worker_threads')
const { shared, pluginIds, maxSeconds, maxBusySeconds, json } = workerData
let seconds = 0
let busySeconds = 0
let beats = -1

setInterval(() => {
  const now = Atomics.load(shared, 0)
  seconds += 1
  busySeconds = now === beats ? busySeconds + 1 : 0
  beats = now
  const plugin = pluginIds[Atomics.load(shared, 1)]
  if (busySeconds >= maxBusySeconds) {
    const whose = plugin === undefined ? 'its thread was' : 'plugin “' + plugin + '” kept its thread'
    end('The service was ended while it stopped: ' + whose + ' busy for ' + maxBusySeconds + ' seconds.', plugin)
  } else if (seconds >= maxSeconds) end('The service was ended because it did not stop within ' + maxSeconds + ' seconds.')
}, 1000)

function end(msg, plugin) {
  const line = json ? JSON.stringify({ level: 'error', time: new Date().toISOString(), plugin, msg }) : msg
  try {
    writeSync(1, line + '\\n')
  } finally {
    // Nothing else ends a process whose first thread is busy.
    process.kill(process.pid, 'SIGKILL')
  }
}
`
