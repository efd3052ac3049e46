import type { Logger } from '@agent-service/sdk'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { ProcessLeases } from '../leases/index.js'
import { jobTimeoutError } from './errors.js'
import type { JobTimes } from './job-times.js'

/** How a job went so far, in this process. */
export interface JobReport {
  readonly id: string
  readonly plugin_id: string
  readonly title: string
  readonly running: boolean
  /** Runs that began. */
  readonly runs: number
  readonly failures: number
  /** Times that were passed over because the run before had not ended. */
  readonly skipped: number
  /** When the newest run began; null before the first. */
  readonly started_at: string | null
}

/** One job on the schedule. Never runs twice at once. */
export interface ScheduledJob {
  /** When it should run next, on the monotonic clock. */
  dueAt(): number
  /** Begins a run, or passes this time over when one is under way. */
  start(): void
  /** Aborts the run that is under way, if any, and begins no other. */
  abort(reason: string): void
  /** Resolves when no run is under way. */
  idle(): Promise<void>
  /** Once it is idle: lets another process of the deployment have it. */
  release(): Promise<void>
  report(): JobReport
}

/** Which process of a deployment runs a job. */
export type JobLeases = Pick<ProcessLeases, 'take' | 'release'>

const defaultTimeoutSeconds = 60

/** Puts a job on a schedule of its own. `onRetry` is called when it is due sooner than it said. */
export function createScheduledJob(options: {
  readonly job: SchedulerJob
  readonly pluginId: string
  readonly times: JobTimes
  readonly clock: Clock
  readonly log: Logger
  readonly leases: JobLeases
  readonly onRetry: () => void
}): ScheduledJob {
  const { job, pluginId, times, clock, log, leases, onRetry } = options
  const timeoutSeconds = job.timeoutSeconds ?? defaultTimeoutSeconds
  const leaseName = `job:${job.id}`
  let current: { readonly controller: AbortController; readonly ended: Promise<void> } | undefined
  let stopped = false
  let startedAt: string | null = null
  const counts = { runs: 0, failures: 0, skipped: 0 }

  const run = async (controller: AbortController, occurrence: number | undefined): Promise<void> => {
    const stopTimer = clock.after(timeoutSeconds * 1000, () =>
      controller.abort(jobTimeoutError.create({ id: job.id, seconds: timeoutSeconds })),
    )
    try {
      const lease = await leases.take(leaseName, occurrence === undefined ? {} : { occurrence })
      if (lease === 'done' || controller.signal.aborted) return
      if (lease === 'held') {
        times.retry(occurrence)
        onRetry()
        return
      }
      startedAt = new Date(clock.now()).toISOString()
      counts.runs += 1
      const signal = AbortSignal.any([controller.signal, lease.signal])
      await job.run({ signal, epoch: lease.epoch, ...(occurrence === undefined ? {} : { scheduledFor: occurrence }) })
      if (jobTimeoutError.isInstance(controller.signal.reason)) throw controller.signal.reason
    } catch (error) {
      if (stopped && controller.signal.aborted) {
        log.debug('A job was stopped on the way.', { error })
        return
      }
      counts.failures += 1
      log.error('A job failed. It runs again at its next time.', { error })
    } finally {
      void stopTimer()
      current = undefined
    }
  }

  return {
    dueAt: () => times.dueAt(),
    start() {
      if (stopped) return
      const occurrence = times.next()
      if (current) {
        counts.skipped += 1
        log.warn('A job was passed over: its run before has not ended.', { running_since: startedAt })
        return
      }
      const controller = new AbortController()
      // Begins behind a turn, so that `current` is set whatever the job does first.
      current = { controller, ended: Promise.resolve().then(() => run(controller, occurrence)) }
    },
    abort(reason) {
      stopped = true
      current?.controller.abort(new DOMException(reason, 'AbortError'))
    },
    idle: () => current?.ended ?? Promise.resolve(),
    release: () => leases.release(leaseName),
    report: () => ({ id: job.id, plugin_id: pluginId, title: job.title, running: current !== undefined, ...counts, started_at: startedAt }),
  }
}
