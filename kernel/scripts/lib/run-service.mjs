import { spawn } from 'node:child_process'
import os from 'node:os'

/**
 * A Ctrl-C arrives from the terminal and again from npm; a signal this soon after the first is the
 * same one.
 */
const sameSignalMs = 300

/**
 * Runs a Node program with this process's standard streams and resolves with its exit status (128 +
 * number if a signal ended it). The program is detached from the terminal's process group, so that
 * it gets a Ctrl-C only from here: each one once, and a second, later one too. `SIGHUP` (the
 * terminal was closed) is forwarded as `SIGTERM`.
 */
export function runService(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit', detached: true })
    const lastSeen = new Map()
    const forward = (signal) => {
      const forwarded = signal === 'SIGHUP' ? 'SIGTERM' : signal
      const now = Date.now()
      const isRepeated = now - (lastSeen.get(forwarded) ?? Number.NEGATIVE_INFINITY) < sameSignalMs
      lastSeen.set(forwarded, now)
      if (!isRepeated) child.kill(forwarded)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    const finish = (settle) => {
      for (const signal of signals) process.off(signal, forward)
      settle()
    }
    child.once('error', (error) => finish(() => reject(error)))
    child.once('exit', (code, signal) => finish(() => resolve(code ?? 128 + (os.constants.signals[signal] ?? 0))))
  })
}
