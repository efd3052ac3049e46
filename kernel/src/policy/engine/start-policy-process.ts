import { type ChildProcess, fork } from 'node:child_process'
import { Socket } from 'node:net'
import { settlesWithin } from '@agent-service/sdk/async'
import type { EngineAnswer, EngineJob, FromPolicyProgram } from './engine-jobs.js'

/** The status with which Node ends where it does not know an option. */
const unknownOption = 9
/** So much is kept of what a process writes about its end. */
const mostErrorText = 2_000
/** A killed process is not waited for any longer. */
const killLimitMs = 5_000

/** Why a process ended. */
export interface PolicyProcessEnd {
  readonly reason: string
  /** Whether Node did not take one of the options, so that the program never ran. */
  readonly optionsRefused: boolean
}

/** A process that holds the engine. */
export interface PolicyProcess {
  /** Gives it a job, which it finds when it is ready; the one before must have been answered. */
  give(job: EngineJob): void
  /** Kills it and waits until it is gone, at most a few seconds. Nothing is told of it from then on. */
  end(): Promise<void>
}

/** What is told of a process, from the next turn of the event loop on. */
export interface PolicyProcessListener {
  onReady(): void
  onAnswer(answer: EngineAnswer): void
  /** It ended by itself, or could not be started. Once, and nothing after it. */
  onEnd(end: PolicyProcessEnd): void
}

/**
 * Starts a program under Node in a process of its own, with an empty environment. It does not keep this process alive, and ends by itself when this one
 * does, however that happens.
 */
export function startPolicyProcess(program: URL, options: readonly string[], listener: PolicyProcessListener): PolicyProcess {
  let listening = true
  let ready = false
  const told = (end: PolicyProcessEnd): void => {
    if (!listening) return
    listening = false
    listener.onEnd(end)
  }
  let child: ChildProcess
  try {
    child = fork(program, [], { execArgv: [...options], env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' })
  } catch (error) {
    setImmediate(() => told({ reason: `its process could not be started: ${messageOf(error)}`, optionsRefused: false }))
    return { give: () => undefined, end: () => Promise.resolve() }
  }
  child.unref()
  child.channel?.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()

  let written = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    written += text.slice(0, mostErrorText - written.length)
  })
  child.on('message', (message) => {
    if (!listening) return
    const said = message as FromPolicyProgram
    if (said !== 'ready') return listener.onAnswer(said)
    ready = true
    listener.onReady()
  })
  const gone = new Promise<void>((resolve) => {
    child.once('close', (status, signal) => {
      const how = signal === null ? `its process ended with status ${status}` : `its process was ended by ${signal}`
      told({ reason: [how, written.trim()].filter(Boolean).join(': '), optionsRefused: status === unknownOption && !ready })
      resolve()
    })
    child.on('error', (error) => {
      told({ reason: `its process failed: ${error.message}`, optionsRefused: false })
      if (child.pid === undefined) resolve()
      else child.kill('SIGKILL')
    })
  })

  return {
    // Where it cannot be given any more, the process has ended, which is told in a moment.
    give: (job) => void child.send(job, () => undefined),
    async end() {
      listening = false
      child.kill('SIGKILL')
      await settlesWithin(gone, { limitMs: killLimitMs })
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
