import { abortable, processTimers, sleep, timeLimitError, withTimeLimit } from '../async/index.js'
import type { Clock } from '../services/clock.js'
import { type ChildExit, describeExit } from './child-exit.js'
import { processGoneError, restartsUsedUpError } from './errors.js'

/** What is kept running: a {@link Child} and everything built on it. */
export interface Running {
  /** Resolves when it has ended. */
  readonly exit: Promise<ChildExit>
  /** Ends it. */
  stop(): Promise<unknown>
}

/** The budget of restarts. */
export interface RestartPolicy {
  /** Restarts within {@link withinMs} at most; after that it stays down. Default 5. */
  readonly maxRestarts?: number
  /** The time that restarts are counted over, in milliseconds. Default 600,000. */
  readonly withinMs?: number
  /**
   * The pause before the first restart, in milliseconds; it doubles with each one that follows
   * within {@link withinMs}. Default 500.
   */
  readonly delayMs?: number
  /** The longest pause. Default 30,000. */
  readonly maxDelayMs?: number
}

/** The options of {@link keepRunning}. */
export interface KeepRunningOptions<Kept extends Running> {
  /** For errors and logs. */
  readonly name: string
  /** Starts it and resolves when it is usable. Cleans up if it fails or its signal is aborted. */
  start(signal: AbortSignal): Promise<Kept>
  /** How long a start may take, in milliseconds. Default 30,000. */
  readonly startLimitMs?: number
  /** Default: five restarts in ten minutes. */
  readonly restarts?: RestartPolicy
  /** Called after each change, for logs and health reports. Default: nothing is called. */
  readonly onChange?: (state: KeptState, reason: string | undefined) => void
  /** Default: the timers of the process. */
  readonly clock?: Pick<Clock, 'after' | 'monotonic'>
}

/**
 * `waiting`: for its next start; `failed`: its restarts are used up; `stopped`: by {@link
 * KeptProcess.stop}.
 */
export type KeptState = 'starting' | 'running' | 'waiting' | 'failed' | 'stopped'

/** A process that is started again when it ends. */
export interface KeptProcess<Kept extends Running> {
  /** Its state. */
  readonly state: KeptState
  /**
   * The running one, as soon as there is one. @throws `process_restarts_used_up`, `process_gone`
   * after the stop, or the signal's reason.
   */
  ready(options?: { readonly signal?: AbortSignal }): Promise<Kept>
  /** Ends it for good. May be called more than once. */
  stop(): Promise<void>
}

interface Gate<Kept> {
  readonly promise: Promise<Kept>
  resolve(kept: Kept): void
  reject(error: Error): void
}

const ownClock: Pick<Clock, 'after' | 'monotonic'> = { ...processTimers, monotonic: () => performance.now() }

/** Starts something now and again whenever it ends, within a budget and with growing pauses. */
export function keepRunning<Kept extends Running>(options: KeepRunningOptions<Kept>): KeptProcess<Kept> {
  const { name, startLimitMs = 30_000, clock = ownClock, onChange } = options
  const stopping = new AbortController()
  const budget = createBudget(options.restarts ?? {}, () => clock.monotonic())
  let gate = createGate<Kept>()
  let state: KeptState = 'starting'
  let current: Kept | undefined

  const change = (next: KeptState, reason?: string): void => {
    state = next
    onChange?.(next, reason)
  }
  const start = (): Promise<Kept> =>
    withTimeLimit((signal) => begin(options, signal), {
      limitMs: startLimitMs,
      signal: stopping.signal,
      clock,
      timedOut: () => timeLimitError.create({ what: `The start of “${name}”`, limitMs: startLimitMs }),
    })
  /** One life: resolves with why it ended. */
  const live = async (): Promise<string> => {
    change('starting')
    const kept = await start()
    current = kept
    change('running')
    gate.resolve(kept)
    const exit = await abortable(kept.exit, stopping.signal)
    current = undefined
    gate = createGate()
    return describeExit(exit)
  }
  const keep = async (): Promise<void> => {
    for (;;) {
      const reason = await live().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      if (stopping.signal.aborted) return
      const pauseMs = budget.take()
      if (pauseMs === undefined) {
        gate.reject(restartsUsedUpError.create({ name, maxRestarts: budget.maxRestarts, reason }))
        return change('failed', reason)
      }
      change('waiting', reason)
      await sleep(pauseMs, { signal: stopping.signal, clock }).catch(() => undefined)
      if (stopping.signal.aborted) return
    }
  }
  const kept = keep()

  return {
    get state() {
      return state
    },
    ready: ({ signal } = {}) => abortable(gate.promise, signal),
    async stop() {
      if (!stopping.signal.aborted) {
        stopping.abort(processGoneError.create({ what: `“${name}”`, reason: 'it was stopped.' }))
        if (state === 'running') gate = createGate()
        gate.reject(stopping.signal.reason as Error)
        change('stopped')
        await current?.stop()
      }
      await kept
    },
  }
}

/** A start that succeeds after its cancellation is ended. */
function begin<Kept extends Running>({ start }: Pick<KeepRunningOptions<Kept>, 'start'>, signal: AbortSignal): Promise<Kept> {
  const started = start(signal)
  started.then(
    (late) => (signal.aborted ? late.stop() : undefined),
    () => undefined,
  )
  return started
}

function createGate<Kept>(): Gate<Kept> {
  let settle: Pick<Gate<Kept>, 'resolve' | 'reject'> = { resolve: () => undefined, reject: () => undefined }
  const promise = new Promise<Kept>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // There may be no waiter.
  promise.catch(() => undefined)
  return { promise, resolve: (kept) => settle.resolve(kept), reject: (error) => settle.reject(error) }
}

/** Counts restarts: gives the pause before the next one, or nothing when they are used up. */
function createBudget(policy: RestartPolicy, now: () => number): { readonly maxRestarts: number; take(): number | undefined } {
  const { maxRestarts = 5, withinMs = 600_000, delayMs = 500, maxDelayMs = 30_000 } = policy
  let taken: number[] = []
  return {
    maxRestarts,
    take() {
      taken = taken.filter((at) => at > now() - withinMs)
      if (taken.length >= maxRestarts) return undefined
      taken.push(now())
      return Math.min(maxDelayMs, delayMs * 2 ** (taken.length - 1))
    },
  }
}
