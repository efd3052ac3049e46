import { spawn } from 'node:child_process'

const running = new Set()
let stopped = false

/**
 * Runs a command to its end without a terminal and without standard input. Resolves with its exit
 * `code` (null when a signal ended it), `signal` and `output` (both streams, in the order in which
 * they came); rejects only when the command cannot be started. `onOutput` sees each piece of output
 * as it comes. `timeoutMs` ends it with `SIGTERM`, five seconds later with `SIGKILL`.
 */
export function runCommand(command, args, { cwd, env, onOutput, timeoutMs } = {}) {
  if (stopped) return Promise.reject(new Error(`${command} was not started: this process is ending`))
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    const pieces = []
    const timers = []
    let timedOut = false
    const collect = (piece) => {
      pieces.push(piece)
      onOutput?.(piece)
    }
    running.add(child)
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    if (timeoutMs !== undefined) {
      timers.push(
        setTimeout(() => {
          timedOut = true
          child.kill('SIGTERM')
          timers.push(setTimeout(() => child.kill('SIGKILL'), 5000))
        }, timeoutMs),
      )
    }
    const finish = (settle) => {
      running.delete(child)
      for (const timer of timers) clearTimeout(timer)
      settle()
    }
    child.once('error', (error) => finish(() => reject(error)))
    child.once('close', (code, signal) => finish(() => resolve({ code, signal, output: pieces.join(''), timedOut })))
  })
}

/** Ends every running command and refuses to start another one: this process is ending. */
export function stopCommands(signal) {
  stopped = true
  for (const child of running) child.kill(signal)
}

/**
 * The arguments that run npm: npm's own script when npm started us, so that the same version works,
 * else the one in PATH.
 */
export function npmCommand(args) {
  const script = process.env.npm_execpath
  if (script !== undefined && /npm-cli\.[cm]?js$/.test(script)) return { command: process.execPath, args: [script, ...args] }
  return { command: 'npm', args }
}
