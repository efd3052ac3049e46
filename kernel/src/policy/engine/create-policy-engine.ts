import { policyEngineFailedError } from '../errors.js'
import type { EngineAnswer, EngineJob, EngineJobKind, EngineJobs } from './engine-jobs.js'
import { type PolicyProcess, type PolicyProcessEnd, startPolicyProcess } from './start-policy-process.js'

/** The process is ended after so long without work. */
const defaultIdleMs = 60_000
/** The longest that the engine may be at one job, its start included. */
const defaultJobLimitMs = 10_000
/** More jobs than this do not wait. */
const maximumWaiting = 1_000

/**
 * How Node runs the engine. With the quick compiler alone WebAssembly takes a third of the memory and answers the first question three times as soon,
 * for some 60 % of the decisions a second. The V8 of Node 20 ends the process (“unreachable code”) when it gives up optimised code while a WebAssembly
 * function that returns an object is called from there; calls that are not inlined are safe.
 */
const defaultOptions = ['--liftoff-only', '--no-turbo-inline-js-wasm-calls', '--max-semi-space-size=1', '--max-old-space-size=256']

/** Cedar, in a process of its own: what it takes goes back to the machine when it ends, and what it breaks is one job. */
export interface PolicyEngine {
  /** Has a job done, one after the other. @throws `policy_engine_failed` when the engine broke on it, took too long or cannot be loaded. */
  run<Kind extends EngineJobKind>(kind: Kind, given: EngineJobs[Kind]['given']): Promise<EngineJobs[Kind]['answer']>
  /** Has the process there soon, for jobs that are about to come; without any it ends as after the last one. */
  start(): void
  /** Ends the process and waits until it is gone; jobs that wait fail, and so does every later one. */
  close(): Promise<void>
}

interface Job {
  readonly job: EngineJob
  resolve(answer: EngineAnswer): void
  reject(error: unknown): void
}

/**
 * Makes the engine. The process starts with the first job or when it is told to, keeps this one alive only while there is work, and is started anew after it broke.
 * `options`: for Node; where it does not know one of them, the engine runs without any.
 */
export function createPolicyEngine(
  settings: { readonly program?: URL; readonly options?: readonly string[]; readonly idleMs?: number; readonly jobLimitMs?: number } = {},
): PolicyEngine {
  const { program = new URL('./policy-program.js', import.meta.url), idleMs = defaultIdleMs, jobLimitMs = defaultJobLimitMs } = settings
  let { options = defaultOptions } = settings
  /** The first one is, or will be, with the process. */
  const jobs: Job[] = []
  let running: { readonly process: PolicyProcess; ready: boolean } | undefined
  const ending = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const failed = (reason: string): Error => policyEngineFailedError.create({ reason, usable: running?.ready ?? false })

  const startProcess = (): NonNullable<typeof running> => {
    const process = startPolicyProcess(program, options, {
      onReady() {
        started.ready = true
      },
      onAnswer(answer) {
        jobs.shift()?.resolve(answer)
        next()
      },
      onEnd: recover,
    })
    const started = { process, ready: false }
    return started
  }

  const end = (): void => {
    clearTimeout(timer)
    if (!running) return
    const ended = running.process.end().then(() => void ending.delete(ended))
    ending.add(ended)
    running = undefined
  }

  const giveHead = (): void => {
    const [head] = jobs
    if (head) running?.process.give(head.job)
  }

  /** To be called when another job is at the head, or none: time counts anew. */
  const next = (): void => {
    clearTimeout(timer)
    if (jobs.length === 0) {
      timer = setTimeout(end, idleMs).unref()
      return
    }
    timer = setTimeout(() => giveUp(`it took longer than ${jobLimitMs} ms`), jobLimitMs)
    running ??= startProcess()
    giveHead()
  }

  /** The job at the head broke the engine; the others get a new one, unless this one never worked. */
  const giveUp = (reason: string): void => {
    const error = failed(reason)
    const lost = running?.ready ? jobs.splice(0, 1) : jobs.splice(0)
    end()
    for (const job of lost) job.reject(error)
    if (jobs.length > 0) next()
  }

  const recover = ({ reason, optionsRefused }: PolicyProcessEnd): void => {
    if (optionsRefused && options.length > 0) {
      options = []
      running = undefined
      next()
    } else giveUp(reason)
  }

  return {
    run<Kind extends EngineJobKind>(kind: Kind, given: EngineJobs[Kind]['given']) {
      return new Promise<EngineJobs[Kind]['answer']>((resolve, reject) => {
        if (closed) return reject(failed('the service is stopping'))
        if (jobs.length >= maximumWaiting) return reject(failed(`${maximumWaiting} decisions are waiting already`))
        const job = { kind, ...given } as EngineJob
        jobs.push({ job, resolve: (answer) => resolve(answer as EngineJobs[Kind]['answer']), reject })
        if (jobs.length === 1) next()
        return undefined
      })
    },
    start() {
      if (closed || running) return
      running = startProcess()
      next()
    },
    async close() {
      closed = true
      const lost = jobs.splice(0)
      for (const { reject } of lost) reject(failed('the service is stopping'))
      end()
      await Promise.all(ending)
    },
  }
}
