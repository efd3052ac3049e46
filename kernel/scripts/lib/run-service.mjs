import { spawn } from 'node:child_process'
import os from 'node:os'

/** One Ctrl-C arrives from the terminal and once more from npm; what comes this soon after the first is the same wish. */
const sameSignalMs = 300

/**
 * Runs a Node program with our standard streams and resolves with its exit status (128 + number when a signal ended it). The program is
 * detached from the terminal's process group, so that a Ctrl-C of the terminal does not reach it beside the one that is passed on here: it
 * sees each wish to stop once, and a second, later one too. `SIGHUP` (the terminal was closed) is passed on as `SIGTERM`.
 */
export function runService(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit', detached: true })
    const lastSeen = new Map()
    const passOn = (signal) => {
      const wish = signal === 'SIGHUP' ? 'SIGTERM' : signal
      const now = Date.now()
      const isRepeated = now - (lastSeen.get(wish) ?? Number.NEGATIVE_INFINITY) < sameSignalMs
      lastSeen.set(wish, now)
      if (!isRepeated) child.kill(wish)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, passOn)
    const finish = (settle) => {
      for (const signal of signals) process.off(signal, passOn)
      settle()
    }
    child.once('error', (error) => finish(() => reject(error)))
    child.once('exit', (code, signal) => finish(() => resolve(code ?? 128 + (os.constants.signals[signal] ?? 0))))
  })
}
