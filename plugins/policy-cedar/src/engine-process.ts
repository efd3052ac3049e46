import { createLimiter, tooManyWaitingError } from '@agent-service/sdk/async'
import { policyEngineFailedError } from '@agent-service/sdk/contracts/policy-engine'
import type { JobAnswer, JobKind, JobRequest } from './engine-jobs.js'
import { type ForkedProgram, forkProgram } from './forked-program.js'

const maxWaitingJobs = 1_000
/** The exit status of Node for an unknown option. */
const unknownOption = 9

/**
 * How Node runs the engine. With only the baseline compiler, WebAssembly takes a third of the
 * memory and answers the first question three times as fast, at some 60 % of the decisions a
 * second. The V8 of Node 20 ends the process (“unreachable code”) when it deoptimises code that is
 * calling a WebAssembly function that returns an object; calls that are not inlined are safe.
 */
const defaultNodeOptions = ['--liftoff-only', '--no-turbo-inline-js-wasm-calls', '--max-semi-space-size=1', '--max-old-space-size=256']

/** Options for tests. */
export interface EngineProcessOptions {
  /** What the process runs. Default: the program with Cedar. */
  readonly program?: URL
  /** Options for Node. If it does not know one of them, the process runs without any. */
  readonly nodeOptions?: readonly string[]
  /** How long the process stays alive without work. Default 60,000. */
  readonly idleMs?: number
  /** The longest that a job may take, the start of the process included. Default 10,000. */
  readonly jobLimitMs?: number
}

/**
 * A process that does jobs, one after the other. Its memory is released when it ends, and a crash
 * fails only one job.
 */
export interface EngineProcess {
  /**
   * Runs a job, in the order of the calls. `answerIfBroken` is the answer if the job crashes the
   * process or takes too long.
   * @throws `policy_engine_failed`, or the signal's reason if it is aborted before the job's turn.
   */
  run<Kind extends JobKind>(
    kind: Kind,
    request: JobRequest<Kind>,
    options: { readonly signal: AbortSignal; readonly answerIfBroken?: JobAnswer<Kind> },
  ): Promise<JobAnswer<Kind>>
  /**
   * Starts the process for jobs that are about to come. Without any, it ends as after the last job.
   */
  start(): void
  /** Ends the process and waits for its end. Waiting jobs fail, and so does every later one. */
  close(): Promise<void>
}

interface NumberedJob {
  /** In the order of the calls. */
  readonly number: number
  readonly message: object
  readonly answerIfBroken: unknown
}

/** Creates an engine process. It starts with the first job, and again after a crash. */
export function createEngineProcess(options: EngineProcessOptions = {}): EngineProcess {
  const { program = new URL('./policy-program.js', import.meta.url), idleMs = 60_000, jobLimitMs = 10_000 } = options
  let nodeOptions = options.nodeOptions ?? defaultNodeOptions
  const turn = createLimiter({ maxConcurrent: 1, maxWaiting: maxWaitingJobs })
  const closing = new AbortController()
  let running: ForkedProgram | undefined
  let ended: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  let lastJob = 0
  /**
   * Jobs up to this one fail with the error of the failed start: the start is not retried for each.
   */
  let failedStart: { readonly lastJob: number; readonly error: Error } | undefined

  const start = (): ForkedProgram => {
    if (running) return running
    const started = forkProgram(program, nodeOptions)
    running = started
    started.exited.then(() => {
      if (running === started) running = undefined
    })
    return started
  }

  const end = (): void => {
    ended = Promise.all([ended, running?.stop()])
    running = undefined
  }

  /** Runs the job at the head of the queue. */
  const work = async (job: NumberedJob): Promise<unknown> => {
    if (closing.signal.aborted) throw failed('the service is stopping')
    if (failedStart && job.number <= failedStart.lastJob) throw failedStart.error
    const process = start()
    const reply = await process.ask(job.message, { limitMs: jobLimitMs })
    if ('answer' in reply) return reply.answer
    end()
    if (closing.signal.aborted) throw failed('the service is stopping')
    if (process.isReady()) {
      if (job.answerIfBroken !== undefined) return job.answerIfBroken
      throw failed(reply.failure)
    }
    if (nodeOptions.length > 0 && (await process.exited) === unknownOption) {
      nodeOptions = []
      return work(job)
    }
    failedStart = { lastJob, error: failed(reply.failure) }
    throw failedStart.error
  }

  const inTurn = async (job: NumberedJob, signal: AbortSignal): Promise<unknown> => {
    const release = await turn.acquire()
    clearTimeout(idle)
    try {
      signal.throwIfAborted()
      return await work(job)
    } finally {
      idle = setTimeout(end, idleMs).unref()
      release()
    }
  }

  return {
    async run<Kind extends JobKind>(
      kind: Kind,
      request: JobRequest<Kind>,
      { signal, answerIfBroken }: { readonly signal: AbortSignal; readonly answerIfBroken?: JobAnswer<Kind> },
    ) {
      lastJob += 1
      const job = { number: lastJob, message: { kind, request }, answerIfBroken }
      try {
        return (await inTurn(job, signal)) as JobAnswer<Kind>
      } catch (error) {
        if (tooManyWaitingError.isInstance(error)) throw failed(`${maxWaitingJobs} decisions are waiting already`)
        throw error
      }
    },
    start() {
      if (closing.signal.aborted || running) return
      start()
      clearTimeout(idle)
      idle = setTimeout(end, idleMs).unref()
    },
    async close() {
      closing.abort(new DOMException('The policy engine is closed.', 'AbortError'))
      clearTimeout(idle)
      end()
      await ended
    },
  }
}

const failed = (reason: string): Error => policyEngineFailedError.create({ reason })
