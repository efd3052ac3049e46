import { spawn } from 'node:child_process'

const running = new Set()
const unbroken = new Set()
const orphaned = new Set()
let stopped = false

/**
 * Runs a command to its end without a terminal and without standard input. Resolves with its exit
 * `code` (null when a signal ended it), `signal` and `output` (both streams, in the order in which
 * they came); rejects only when the command cannot be started, or was ended with this process.
 * `onOutput` sees each piece of output as it comes. `timeoutMs` ends it with `SIGTERM`, five seconds
 * later with `SIGKILL`. With `group` it leads a process group of its own, which ends so as a whole. A
 * command that is `isUnbroken` is waited for when this process ends: a package manager leaves the
 * system damaged otherwise.
 */
export function runCommand(command, args, { cwd, env, onOutput, timeoutMs, group = false, isUnbroken = false } = {}) {
  if (stopped) return Promise.reject(new Error(`${command} was not started: this process is ending`))
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: group })
    const kill = (signal) => (group ? killGroup(child, signal) : child.kill(signal))
    const pieces = []
    const timers = []
    let timedOut = false
    const collect = (piece) => {
      pieces.push(piece)
      onOutput?.(piece)
    }
    ;(isUnbroken ? unbroken : running).add(child)
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    if (timeoutMs !== undefined) {
      timers.push(
        setTimeout(() => {
          timedOut = true
          kill('SIGTERM')
          timers.push(setTimeout(() => kill('SIGKILL'), 5000))
        }, timeoutMs),
      )
    }
    const finish = (settle) => {
      running.delete(child)
      unbroken.delete(child)
      if (group && hasGroup(child)) orphaned.add(child.pid)
      for (const timer of timers) clearTimeout(timer)
      settle()
    }
    child.once('error', (error) => finish(() => reject(error)))
    child.once('close', (code, signal) =>
      finish(() => {
        if (stopped) reject(new Error(`${command} was ended: this process is ending`))
        else resolve({ code, signal, output: pieces.join(''), timedOut })
      }),
    )
  })
}

/** Whether something of the group still runs, so that no other group can get its id. */
function hasGroup({ pid }) {
  try {
    process.kill(-pid, 0)
    return true
  } catch (error) {
    if (error.code === 'EPERM') return true
    if (error.code !== 'ESRCH') throw error
    return false
  }
}

/** The process groups whose leaders have ended before the rest of them. */
export const orphanedGroups = () => [...orphaned]

function killGroup({ pid }, signal) {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** The ids of running commands that are waited for. */
export const unbrokenCommands = () => [...unbroken].map(({ pid }) => pid)

/** Starts no further command, and rejects for those that end: this process is ending. */
export function refuseCommands() {
  stopped = true
}

/** Refuses commands, and ends every running one. */
export function stopCommands(signal) {
  refuseCommands()
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
