import { Worker } from 'node:worker_threads'
import { policyEngineFailedError } from '../errors.js'
import type { EngineJobKind, EngineJobs, FromPolicyThread, ToPolicyThread } from './engine-jobs.js'

/** The thread is ended after so long without work: it takes some 100 MB. */
const defaultIdleMs = 60_000
/** The longest that the engine may be at one job. */
const defaultJobLimitMs = 10_000
/** More jobs than this do not wait. */
const maximumWaiting = 1_000

/** Cedar, in a thread of its own: loading it takes a few hundred milliseconds, many policies some more. */
export interface PolicyEngine {
  /** Has a job done, one after the other. @throws `policy_engine_failed` when the engine broke on it, took too long or cannot be loaded. */
  run<Kind extends EngineJobKind>(kind: Kind, given: EngineJobs[Kind]['given']): Promise<EngineJobs[Kind]['answer']>
  /** Ends the thread; jobs that wait fail, and so does every later one. */
  close(): Promise<void>
}

interface Job {
  readonly message: ToPolicyThread
  resolve(answer: FromPolicyThread): void
  reject(error: unknown): void
}

/** Makes the engine. The thread starts with the first job, does not keep the process alive, and is started anew after it broke. */
export function createPolicyEngine(
  options: { readonly program?: URL; readonly idleMs?: number; readonly jobLimitMs?: number } = {},
): PolicyEngine {
  const { program = new URL('./policy-thread.js', import.meta.url), idleMs = defaultIdleMs, jobLimitMs = defaultJobLimitMs } = options
  const jobs: Job[] = []
  let thread: { readonly worker: Worker; ready: boolean } | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const failed = (reason: string, cause?: unknown): Error =>
    policyEngineFailedError.create({ reason, usable: thread?.ready ?? false }, cause === undefined ? {} : { cause })

  /** Counts anew whenever another job is at the head, or none. */
  const watchHead = (): void => {
    clearTimeout(timer)
    timer =
      jobs.length > 0
        ? setTimeout(() => giveUp(failed(`it took longer than ${jobLimitMs} ms`)), jobLimitMs)
        : setTimeout(() => void endThread(), idleMs)
    timer.unref()
  }

  const endThread = async (): Promise<void> => {
    const ending = thread
    thread = undefined
    clearTimeout(timer)
    await ending?.worker.terminate()
  }

  /** The job at the head broke the engine; the others get a new one, unless this one never worked. */
  const giveUp = (error: Error): void => {
    const lost = thread?.ready ? jobs.splice(0, 1) : jobs.splice(0)
    void endThread()
    for (const job of lost) job.reject(error)
    if (jobs.length === 0) return
    const { worker } = threadNow()
    for (const job of jobs) worker.postMessage(job.message)
    watchHead()
  }

  const threadNow = (): { readonly worker: Worker } => {
    if (thread) return thread
    const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 } })
    const started = { worker, ready: false }
    worker.unref()
    worker.on('message', (answer: FromPolicyThread | 'ready') => {
      if (thread !== started) return
      started.ready = true
      if (answer === 'ready') return
      jobs.shift()?.resolve(answer)
      watchHead()
    })
    worker.on('error', (error) => {
      if (thread === started) giveUp(failed(error instanceof Error ? error.message : String(error), error))
    })
    worker.on('exit', () => {
      if (thread === started) giveUp(failed('its thread ended'))
    })
    thread = started
    return started
  }

  return {
    run<Kind extends EngineJobKind>(kind: Kind, given: EngineJobs[Kind]['given']) {
      return new Promise<EngineJobs[Kind]['answer']>((resolve, reject) => {
        if (closed) return reject(failed('the service is stopping'))
        if (jobs.length >= maximumWaiting) return reject(failed(`${maximumWaiting} decisions are waiting already`))
        const message = { kind, ...given } as ToPolicyThread
        threadNow().worker.postMessage(message)
        jobs.push({ message, resolve: (answer) => resolve(answer as EngineJobs[Kind]['answer']), reject })
        if (jobs.length === 1) watchHead()
        return undefined
      })
    },
    async close() {
      closed = true
      const lost = jobs.splice(0)
      await endThread()
      for (const job of lost) job.reject(failed('the service is stopping'))
    },
  }
}
