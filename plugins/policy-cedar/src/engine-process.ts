import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@agent-service/sdk'
import { abortable, createLimiter, timeLimitError, tooManyWaitingError } from '@agent-service/sdk/async'
import { policyEngineFailedError } from '@agent-service/sdk/contracts/policy-engine'
import {
  type Child,
  type ChildExit,
  createMessageChannel,
  createRequestPeer,
  lineFraming,
  type RequestPeer,
  startChild,
} from '@agent-service/sdk/process'
import type { JobAnswer, JobKind, JobRequest } from './engine-jobs.js'

const maxWaitingJobs = 1_000
/** 1,000 policies of 16,384 characters each, as JSON. */
const maxMessageBytes = 128 * 1024 * 1024
/** The status with which Node ends where it does not know an option. */
const unknownOption = 9

/**
 * How Node runs the engine. With the quick compiler alone WebAssembly takes a third of the memory and answers the first question three times as soon,
 * for some 60 % of the decisions a second. The V8 of Node 20 ends the process (“unreachable code”) when it gives up optimised code while a WebAssembly
 * function that returns an object is called from there; calls that are not inlined are safe.
 */
const usualNodeOptions = ['--liftoff-only', '--no-turbo-inline-js-wasm-calls', '--max-semi-space-size=1', '--max-old-space-size=256']

/** What tests change. */
export interface EngineProcessOptions {
  /** What the process runs. Default: the program with Cedar. */
  readonly program?: URL
  /** For Node. Where it does not know one of them, the process runs without any. */
  readonly nodeOptions?: readonly string[]
  /** The process ends after so long without work. Default 60,000. */
  readonly idleMs?: number
  /** The longest that a job, or the start of the process, may take. Default 10,000. */
  readonly jobLimitMs?: number
}

/** A process that does jobs, one after the other. What it takes goes back to the machine when it ends, and what breaks it is one job. */
export interface EngineProcess {
  /**
   * Has a job done, in the order of the calls. With `answerIfBroken`, that is the answer where the job breaks the process or takes too long.
   * @throws `policy_engine_failed`, or the signal's reason.
   */
  run<Kind extends JobKind>(
    kind: Kind,
    request: JobRequest<Kind>,
    options: { readonly signal: AbortSignal; readonly answerIfBroken?: JobAnswer<Kind> },
  ): Promise<JobAnswer<Kind>>
  /** Starts the process for jobs that are about to come. Where none comes it ends as after the last one. */
  start(): void
  /** Ends the process and waits until it is gone. Jobs that wait fail, and so does every later one. */
  close(): Promise<void>
}

interface Job {
  readonly kind: JobKind
  readonly request: object
  /** In the order of the calls. */
  readonly number: number
  readonly answerIfBroken: unknown
}

/** A process that answers. */
interface Running {
  readonly child: Child
  readonly peer: RequestPeer
}

/** Makes it. The process starts with the first job, and again after it broke. */
export function createEngineProcess(options: EngineProcessOptions = {}): EngineProcess {
  const { program = new URL('./policy-program.js', import.meta.url), idleMs = 60_000, jobLimitMs = 10_000 } = options
  let nodeOptions = options.nodeOptions ?? usualNodeOptions
  const turn = createLimiter({ maxConcurrent: 1, maxWaiting: maxWaitingJobs })
  const closing = new AbortController()
  let running: Promise<Running> | undefined
  let ended: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  let lastJob = 0
  /** Jobs up to this one fail as the start of the process did. */
  let failedStart: { readonly lastJob: number; readonly error: unknown } | undefined

  const begin = async (): Promise<Running> => {
    const begun = await beginProcess(program, nodeOptions, { limitMs: jobLimitMs, signal: closing.signal })
    if ('peer' in begun) return begun
    if (begun.exit.code === unknownOption && nodeOptions.length > 0) {
      nodeOptions = []
      return begin()
    }
    throw policyEngineFailedError.create({ reason: begun.reason })
  }

  const start = (): Promise<Running> => {
    if (running) return running
    const starting = begin()
    const forget = (): void => {
      if (running === starting) running = undefined
    }
    running = starting
    starting
      .then(
        ({ peer }) => peer.ended,
        () => undefined,
      )
      .then(forget)
    return starting
  }

  const end = (): void => {
    const stopped = running?.then(({ child }) => child.stop()).catch(() => undefined)
    running = undefined
    ended = Promise.all([ended, stopped])
  }

  /** The job at the head of the line. */
  const work = async ({ kind, request, number, answerIfBroken }: Job): Promise<unknown> => {
    if (failedStart && number <= failedStart.lastJob) throw failedStart.error
    const { peer, child } = await start().catch((error: unknown) => {
      failedStart = { lastJob, error }
      throw error
    })
    return peer.request(kind, request as JsonObject, { limitMs: jobLimitMs }).catch(async (error: unknown) => {
      end()
      const exit = await child.stop()
      if (answerIfBroken !== undefined && !closing.signal.aborted) return answerIfBroken
      throw policyEngineFailedError.create({ reason: reasonOf(error, exit, jobLimitMs) })
    })
  }

  const inTurn = async (job: Job, signal: AbortSignal): Promise<unknown> => {
    const release = await turn.acquire({ signal: closing.signal })
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
      const job = { kind, request, answerIfBroken, number: lastJob }
      try {
        return (await abortable(() => inTurn(job, signal), signal)) as JobAnswer<Kind>
      } catch (error) {
        signal.throwIfAborted()
        throw failureOf(error, closing.signal)
      }
    },
    start() {
      if (closing.signal.aborted || running) return
      clearTimeout(idle)
      // The next job fails for the same reason, or starts it anew.
      start().catch(() => undefined)
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

/** Starts the program and waits until it is ready for jobs. It ends by itself when this process does, however that happens. */
async function beginProcess(
  program: URL,
  nodeOptions: readonly string[],
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<Running | { readonly exit: ChildExit; readonly reason: string }> {
  const child = await startChild({
    ...{ command: process.execPath, args: [...nodeOptions, fileURLToPath(program)], environment: { pass: [] } },
    ...{ graceMs: 100, maxErrorBytes: 2_000, signal },
  })
  const peer = createRequestPeer(createMessageChannel(child, { framing: lineFraming({ maxMessageBytes }) }))
  try {
    await peer.request('ready', {}, { limitMs })
    return { child, peer }
  } catch (error) {
    const exit = await child.stop()
    return { exit, reason: reasonOf(error, exit, limitMs) }
  }
}

/** Why a job came to nothing, for operators. */
function reasonOf(error: unknown, { code, signal, errorText }: ChildExit, limitMs: number): string {
  if (timeLimitError.isInstance(error)) return `it took longer than ${limitMs} ms`
  // What the process sent could not be read, or was too large to be sent to it.
  const { cause } = error as Error
  if (cause instanceof Error) return cause.message
  const how = signal === null ? `its process ended with status ${code}` : `its process was ended by ${signal}`
  return [how, errorText.trim()].filter(Boolean).join(': ')
}

function failureOf(error: unknown, closing: AbortSignal): Error {
  if (closing.aborted) return policyEngineFailedError.create({ reason: 'the service is stopping' })
  if (policyEngineFailedError.isInstance(error)) return error
  const reason = tooManyWaitingError.isInstance(error) ? `${maxWaitingJobs} decisions are waiting already` : String(error)
  return policyEngineFailedError.create({ reason }, { cause: error })
}
