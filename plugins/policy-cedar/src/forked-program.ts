import { fork } from 'node:child_process'
import { Socket } from 'node:net'
import { settlesWithin } from '@agent-service/sdk/async'

/** So much is kept of what a process writes about its end. */
const maxErrorText = 2_000
/** A killed process is not waited for any longer. */
const killLimitMs = 5_000

/** What came of a message: the answer, or why there is none. */
export type ProgramReply = { readonly answer: unknown } | { readonly failure: string }

/** A program that answers one message after the other. */
export interface ForkedProgram {
  /** Sends a message and waits for the answer. One call at a time. Keeps this process alive meanwhile. */
  ask(message: object, options: { readonly limitMs: number }): Promise<ProgramReply>
  /** Whether it has said that it is ready. Messages may be sent before. */
  isReady(): boolean
  /** Resolves with the status when it is gone; null where a signal ended it, or it could not be started. */
  readonly gone: Promise<number | null>
  /** Kills it and waits until it is gone, at most a few seconds. */
  stop(): Promise<void>
}

/**
 * Runs a program under Node in a process of its own, with an empty environment. It ends by itself when this process does, however that
 * happens, and does not keep this process alive. Node's own channel is used in place of the SDK's kit: a question takes a fifth of the
 * processor time so, and someone waits for each.
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
  const gone = new Promise<number | null>((resolve) => {
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
      if (child.exitCode !== null || child.signalCode !== null) await gone
      let timer: NodeJS.Timeout | undefined
      try {
        return await new Promise<ProgramReply>((resolve) => {
          settle = resolve
          timer = setTimeout(() => resolve({ failure: `it took longer than ${limitMs} ms` }), limitMs)
          // Where it cannot be sent any more, the process has ended, which is seen in a moment.
          child.send(message, () => undefined)
        })
      } finally {
        clearTimeout(timer)
      }
    },
    isReady: () => isReady,
    gone,
    async stop() {
      child.kill('SIGKILL')
      await settlesWithin(gone, { limitMs: killLimitMs })
    },
  }
}
