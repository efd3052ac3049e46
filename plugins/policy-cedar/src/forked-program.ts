import { fork } from 'node:child_process'
import { Socket } from 'node:net'
import { settlesWithin } from '@agent-service/sdk/async'

/** How much is kept of what a process writes to standard error, in characters. */
const maxErrorText = 2_000
/** The longest wait for a killed process to end. */
const killLimitMs = 5_000

/** The result of a message: the answer, or why there is none. */
export type ProgramReply = { readonly answer: unknown } | { readonly failure: string }

/** A program that answers one message after the other. */
export interface ForkedProgram {
  /**
   * Sends a message and waits for the answer. One call at a time. Keeps this process alive
   * meanwhile.
   */
  ask(message: object, options: { readonly limitMs: number }): Promise<ProgramReply>
  /** Whether it has reported that it is ready. Messages may be sent before. */
  isReady(): boolean
  /**
   * Resolves with the exit status when it has ended; null if a signal ended it or it could not be
   * started.
   */
  readonly exited: Promise<number | null>
  /** Kills it and waits for its end, at most a few seconds. */
  stop(): Promise<void>
}

/**
 * Runs a program under Node in its own process, with an empty environment. It ends when this
 * process does, however that happens, and does not keep this process alive. Uses Node's own channel
 * instead of the SDK's kit: a question takes a fifth of the processor time that way, and a request
 * waits for each.
 */
export function forkProgram(program: URL, nodeOptions: readonly string[]): ForkedProgram {
  const child = fork(program, [], {
    ...{ execArgv: [...nodeOptions], env: {}, serialization: 'advanced' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()

  let isReady = false
  let settle: (reply: ProgramReply) => void = () => undefined
  let errorText = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorText += text.slice(0, maxErrorText - errorText.length)
  })
  child.on('message', (message) => {
    if (message === 'ready') isReady = true
    else settle({ answer: message })
  })
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (status, signal) => {
      const how = signal === null ? `its process ended with status ${status}` : `its process was ended by ${signal}`
      settle({ failure: [how, errorText.trim()].filter(Boolean).join(': ') })
      resolve(status)
    })
    child.on('error', (error) => {
      settle({ failure: `its process failed: ${error.message}` })
      if (child.pid === undefined) resolve(null)
      else child.kill('SIGKILL')
    })
  })

  return {
    async ask(message, { limitMs }) {
      if (child.exitCode !== null || child.signalCode !== null) await exited
      let timer: NodeJS.Timeout | undefined
      try {
        return await new Promise<ProgramReply>((resolve) => {
          settle = resolve
          timer = setTimeout(() => resolve({ failure: `it took longer than ${limitMs} ms` }), limitMs)
          // If sending fails, the process has ended, and `close` follows.
          child.send(message, () => undefined)
        })
      } finally {
        clearTimeout(timer)
      }
    },
    isReady: () => isReady,
    exited,
    async stop() {
      child.kill('SIGKILL')
      await settlesWithin(exited, { limitMs: killLimitMs })
    },
  }
}
