import type { AuditActor } from '@agent-service/kernel-core/audit'
import type { HttpServer } from '@agent-service/kernel-core/http'
import type { Logger } from '@agent-service/sdk'
import type { DisposableScope } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { InterruptedWork, Restarts as PluginRestarts } from '@agent-service/sdk/services/restarts'
import type { InjectionToken } from 'tsyringe'

/** A restart in place that begins: the process stops this kernel and starts the next one. */
export interface RestartOrder {
  /** Who asked for it. */
  readonly actor: AuditActor
  /** How long it waited for work that cannot be interrupted. */
  readonly waitedMs: number
  /** When the stop began, by `performance.now()` of the process, which goes on. */
  readonly beganAt: number
}

/** What is under way, as far as a restart concerns it. */
export interface WorkUnderWay {
  /** What a restart waits for: tool calls that can neither be interrupted nor repeated, and requests that are being answered. */
  readonly calls: number
  readonly requests: number
  /** What it interrupts: answers that go on by themselves afterwards, and programs that end. */
  readonly resumes: number
  readonly ends: number
}

/** Whether a restart was asked for. */
export type RestartStatus = 'none' | 'waiting' | 'restarting'

/** The restart in place of one kernel, which happens at most once. */
export interface Restarts {
  /** What plugins see of it. */
  ofPlugin(scope: Pick<DisposableScope, 'add'>): PluginRestarts
  status(): RestartStatus
  work(): WorkUnderWay
  /**
   * Asks for the restart, which waits for what cannot be interrupted, up to the limit or until it is
   * asked for `now`. Returns at once; once it is asked for, a second time changes nothing else.
   */
  request(order: { readonly actor: AuditActor; readonly now: boolean }): void
  /** Resolves when the kernel is to be stopped, at a moment when nothing is interrupted that need not be. */
  readonly ordered: Promise<RestartOrder>
}

export const restartsToken: InjectionToken<Restarts> = Symbol('restarts')

/** What {@link createRestarts} needs. */
export interface RestartsOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  /** `server.shutdown_timeout_secs`, in milliseconds. */
  readonly limitMs: number
  readonly http: () => Pick<HttpServer, 'openRequests' | 'whenQuiet'>
  readonly logger: Pick<Logger, 'error'>
}

export function createRestarts({ clock, limitMs, http, logger }: RestartsOptions): Restarts {
  const held = new Set<object>()
  const told = new Set<InterruptedWork>()
  const impatient = new AbortController()
  let released: () => void = () => undefined
  let status: RestartStatus = 'none'
  let begin: (order: RestartOrder) => void = () => undefined
  const ordered = new Promise<RestartOrder>((resolve) => {
    begin = resolve
  })

  const hold: PluginRestarts['hold'] = (signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      if (status === 'restarting') {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        return
      }
      const work = {}
      held.add(work)
      resolve(() => {
        if (held.delete(work) && held.size === 0) released()
      })
    })

  const whenReleased = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (held.size === 0 || signal.aborted) return resolve()
      released = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
    })

  const untilQuiet = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (held.size > 0 || http().openRequests() > 0)) {
      await whenReleased(signal)
      await http().whenQuiet(signal)
    }
    // In the same step, so that nothing begins in between.
    status = 'restarting'
  }

  const countOf = (count: (() => number) | undefined): number => {
    try {
      return count?.() ?? 0
    } catch (error) {
      logger.error('A plugin could not say what a restart would interrupt.', { error })
      return 0
    }
  }
  const sum = (counts: readonly ((() => number) | undefined)[]): number => counts.reduce((total, count) => total + countOf(count), 0)

  return {
    ofPlugin: (scope) => ({
      hold,
      tell(work) {
        told.add(work)
        scope.add('work that a restart interrupts', () => void told.delete(work))
      },
    }),
    status: () => status,
    work: () => ({
      calls: held.size,
      requests: http().openRequests(),
      resumes: sum([...told].map(({ resumes }) => resumes)),
      ends: sum([...told].map(({ ends }) => ends)),
    }),
    request({ actor, now }) {
      if (now) impatient.abort()
      if (status !== 'none') return
      status = 'waiting'
      const askedAt = clock.monotonic()
      const cancel = clock.after(limitMs, () => impatient.abort())
      void untilQuiet(impatient.signal).then(() => {
        void cancel()
        begin({ actor, waitedMs: Math.round(clock.monotonic() - askedAt), beganAt: performance.now() })
      })
    },
    ordered,
  }
}
