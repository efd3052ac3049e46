import { type Logger, ServiceError } from '@agent-service/sdk'
import { signalWithin, withTimeLimit } from '@agent-service/sdk/async'
import { type MemoryBackend, memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { ContributionLease, Contributions } from '@agent-service/sdk/services/contributions'
import { memoryMovingError, memoryUnavailableError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { CallOutcome, MemoryMetrics } from '../common/metrics.js'

/** A back end, as far as it may be known while it is not called. */
export type BackendState =
  | { readonly id: string; readonly available: true; readonly title: string; readonly supports: MemoryBackend['supports'] }
  | { readonly id: string; readonly available: false }

/** One call of a back end. */
export interface MemoryCall {
  /** For metrics and the log: `search`. */
  readonly what: string
  readonly signal: AbortSignal
  /** Default: the limit of reading. */
  readonly limitMs?: number
}

/** Calls of one back end. */
export interface MemoryCalls {
  /** The id of the back end. */
  readonly id: string
  /** What it is now. Answers at once. */
  state(): BackendState
  /**
   * Calls it, with a lease and a limit. @throws `memory_unavailable` if it does not run, is too slow
   * or fails; its own errors of a request (400 to 499); the signal's reason.
   */
  call<Result>(call: MemoryCall, work: (backend: MemoryBackend, signal: AbortSignal) => Promise<Result>): Promise<Result>
  /** The same for a stream: the lease is held until the reader leaves. Throws as `call`, while it is read. */
  stream<Item>(call: MemoryCall, work: (backend: MemoryBackend, signal: AbortSignal) => AsyncIterable<Item>): AsyncIterable<Item>
}

/** Makes the calls of the back end with this id. */
export function createMemoryCalls(dependencies: {
  readonly id: string
  readonly contributions: Pick<Contributions, 'acquire' | 'list'>
  readonly clock: Clock
  readonly metrics: Pick<MemoryMetrics, 'called'>
  readonly log: Logger
}): MemoryCalls {
  const { id, contributions, clock, metrics, log } = dependencies
  const unavailable = (reason: string, cause?: unknown): ServiceError => memoryUnavailableError.create({ reason }, { cause })
  const tooSlow = (limitMs: number): ServiceError => unavailable(`the back end “${id}” did not answer within ${limitMs} ms`)

  /** The error that a caller gets for one of the back end, with its outcome. */
  const failureOf = (error: unknown, { what, signal }: MemoryCall, lease: ContributionLease<MemoryBackend>): [CallOutcome, unknown] => {
    if (signal.aborted) return ['aborted', signal.reason]
    if (ServiceError.isInstance(error) && (error.status < 500 || memoryMovingError.isInstance(error))) return ['done', error]
    if (lease.signal.aborted) return ['failed', unavailable(`the back end “${id}” is stopping`, error)]
    log.warn('The memory back end failed.', { backend: id, plugin: lease.pluginId, what, error })
    return ['failed', memoryUnavailableError.isInstance(error) ? error : unavailable(`the back end “${id}” failed`, error)]
  }
  const open = (call: MemoryCall): { readonly lease: ContributionLease<MemoryBackend>; end(outcome: CallOutcome): void } => {
    call.signal.throwIfAborted()
    const begin = clock.monotonic()
    const lease = contributions.acquire(memoryBackends, id)
    if (!lease) {
      metrics.called(call.what, 'unavailable', 0)
      throw unavailable(`the plugin of the back end “${id}” does not run`)
    }
    return { lease, end: (outcome) => metrics.called(call.what, outcome, clock.monotonic() - begin) }
  }

  return {
    id,
    state() {
      const found = contributions.list(memoryBackends).find(({ key }) => key === id)?.value
      return found ? { id, available: true, title: found.title, supports: found.supports } : { id, available: false }
    },
    async call(call, work) {
      const { signal, limitMs = limits.readMs } = call
      const { lease, end } = open(call)
      try {
        const result = await withTimeLimit((limited) => work(lease.value, AbortSignal.any([limited, lease.signal])), {
          ...{ limitMs, signal, clock, timedOut: () => tooSlow(limitMs) },
        })
        end('done')
        return result
      } catch (error) {
        const [outcome, reason] = failureOf(error, call, lease)
        end(outcome)
        throw reason
      } finally {
        lease.release()
      }
    },
    async *stream(call, work) {
      const { signal, limitMs = limits.transferMs } = call
      const { lease, end } = open(call)
      const limited = signalWithin(limitMs, signal, lease.signal)
      try {
        yield* work(lease.value, limited)
        end('done')
      } catch (error) {
        const [outcome, reason] = failureOf(error, call, lease)
        end(outcome)
        throw reason
      } finally {
        lease.release()
      }
    },
  }
}
