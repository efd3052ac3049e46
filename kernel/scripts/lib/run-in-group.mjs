import { spawn } from 'node:child_process'

/** So many lines at the end of the output are returned. */
const maxLastLines = 200

/** How long a group has to end after a signal. */
const graceMs = 10_000

/**
 * Runs a command without standard input, and shows its output. Whatever it starts is in its process
 * group, which gets the signals that this process gets, and ends with the command. Resolves with the
 * exit `code` (null when a signal ended it), the `signal`, the `lastLines` of its output, and the
 * signal by which this process was `interrupted`, if it was.
 */
export function runInGroup(command, args, { cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const kill = (signal) => {
      try {
        process.kill(-child.pid, signal)
      } catch (error) {
        if (error.code !== 'ESRCH') throw error
      }
    }
    let interrupted
    const forward = (signal) => {
      interrupted = signal
      kill(signal)
      setTimeout(() => kill('SIGKILL'), graceMs).unref()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward)
    let tail = ''
    const show = (stream) => (text) => {
      stream.write(text)
      tail = `${tail}${text}`.split('\n').slice(-maxLastLines).join('\n')
    }
    child.stdout.setEncoding('utf8').on('data', show(process.stdout))
    child.stderr.setEncoding('utf8').on('data', show(process.stderr))
    child.once('error', reject)
    // What it leaves running would hold its streams open, and use the machine.
    child.once('exit', () => kill('SIGKILL'))
    child.once('close', (code, signal) => {
      for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(each, forward)
      resolve({ code, signal, lastLines: tail.split('\n'), interrupted })
    })
  })
}
