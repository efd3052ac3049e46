import type { Logger } from '@agent-service/sdk'
import type { MemorySweep } from '@agent-service/sdk/contracts/memory-backend'
import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'
import type { MemoryCalls } from '../backend/memory-calls.js'
import type { MemoryMetrics } from '../common/metrics.js'
import type { SweepLog } from './sweep-log.js'

/** The longest that the work of a back end may go on before it is stopped, and goes on with the next sweep. */
const maxSeconds = 900
/** How long it may take to stop then; one that does not has failed. */
const stopSeconds = 20
const usualSeconds = 60

/**
 * How often a back end is called for its background work, in seconds: as often as its settings need
 * it, and at least every minute for one that also expires texts and forgets deleted chats then.
 */
export function sweepSecondsOf(settings: MemorySettings): number {
  if (settings.backend === 'pkm') return settings.pkm_consolidate_secs
  if (settings.backend === 'basic') return Math.min(usualSeconds, settings.basic_compaction_secs, settings.basic_space_compaction_secs)
  return usualSeconds
}

const nothing: MemorySweep = { users: 0, more: false }

/** Calls the back end for its background work: in one process of a deployment, again at once while there is more. */
export function createSweepJob(dependencies: {
  readonly settings: MemorySettings
  readonly calls: MemoryCalls
  readonly sweeps: SweepLog
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after'>
  readonly metrics: Pick<MemoryMetrics, 'swept'>
  readonly log: Logger
  /** Memories must not change by themselves now. */
  readonly isHeld: () => boolean
  /** The memories of a user have changed. */
  readonly onChanged: (userId: string) => void
}): SchedulerJob {
  const { settings, calls, sweeps, clock, metrics, log, isHeld, onChanged } = dependencies
  const now = (): string => new Date(clock.now()).toISOString()
  const changed = async (userId: string): Promise<void> => onChanged(userId)

  /** A sweep that stops at its end has not failed: the next one goes on. */
  const sweep = async (signal: AbortSignal, leftMs: number): Promise<MemorySweep> =>
    calls.call({ what: 'sweep', signal, limitMs: leftMs + stopSeconds * 1_000 }, async (backend, limited) => {
      const end = new AbortController()
      const cancel = clock.after(leftMs, () => end.abort(new Error('The time of this sweep is over.')))
      try {
        return (await backend.sweep?.({ signal: AbortSignal.any([limited, end.signal]), changed })) ?? nothing
      } catch (error) {
        if (limited.aborted || !end.signal.aborted) throw error
        return nothing
      } finally {
        void cancel()
      }
    })

  return defineJob({
    id: 'memory.sweep',
    title: 'Background work of the memory',
    everySeconds: sweepSecondsOf(settings),
    timeoutSeconds: maxSeconds + stopSeconds + 10,
    async run({ signal }) {
      const state = calls.state()
      if (!state.available || !state.supports.sweep || isHeld()) return
      const begin = now()
      const until = clock.monotonic() + maxSeconds * 1_000
      await sweeps.began(begin)
      let users = 0
      try {
        for (let more = true; more && !isHeld(); ) {
          const left = until - clock.monotonic()
          if (left <= 0) break
          const swept = await sweep(signal, left)
          users += swept.users
          more = swept.more
        }
        metrics.swept('done', users)
        await sweeps.ended(begin, now(), false)
      } catch (error) {
        metrics.swept(signal.aborted ? 'aborted' : 'failed', users)
        signal.throwIfAborted()
        log.warn('A sweep of the memory has failed; it is tried again.', { backend: calls.id, error })
        await sweeps.ended(begin, now(), true)
      }
    },
  })
}
