import { defineError, type Logger } from '@agent-service/sdk'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { ProcessLeases } from '../leases/index.js'
import type { JobTimes } from './job-times.js'

/** The abort reason of a job that runs too long. */
export const jobTimeoutError = defineError<{ readonly id: string; readonly seconds: number }>({
  code: 'job_timeout',
  status: 500,
  title: 'Job timed out',
  message: ({ id, seconds }) => `The job “${id}” did not end within ${seconds} s.`,
})

export interface JobReport {
  readonly id: string
  readonly plugin_id: string
  readonly title: string
  readonly running: boolean
  readonly runs: number
  readonly failures: number
  /** Times skipped because the previous run had not ended. */
  readonly skipped: number
  /** Start of the latest run; null before the first. */
  readonly started_at: string | null
}

export type ScheduledJob = ReturnType<typeof createScheduledJob>

/** The leases that decide which process of a deployment runs a job. */
export type JobLeases = Pick<ProcessLeases, 'take' | 'release'>

const defaultTimeoutSeconds = 60

/**
 * One scheduled job. Never runs twice at the same time. `onRetry` is called when it becomes due sooner
 * than reported.
 */
export function createScheduledJob(options: {
  readonly job: SchedulerJob
  readonly pluginId: string
  readonly times: JobTimes
  readonly clock: Clock
  readonly log: Logger
  readonly leases: JobLeases
  readonly onRetry: () => void
}) {
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
        log.debug('A job was aborted.', { error })
        return
      }
      counts.failures += 1
      log.error('A job failed. It runs again at its next due time.', { error })
    } finally {
      void stopTimer()
      current = undefined
    }
  }

  return {
    /** The next due time, on the monotonic clock. */
    dueAt: (): number => times.dueAt(),
    /** Starts a run, or skips this time if one is under way. */
    start(): void {
      if (stopped) return
      const occurrence = times.next()
      if (current) {
        counts.skipped += 1
        log.warn('A run of a job was skipped: the previous run has not ended.', { running_since: startedAt })
        return
      }
      const controller = new AbortController()
      // Begins in the next turn of the event loop, so that `current` is set before the job runs.
      current = { controller, ended: Promise.resolve().then(() => run(controller, occurrence)) }
    },
    /** Aborts the run under way, if any, and starts no other. */
    abort(reason: string): void {
      stopped = true
      current?.controller.abort(new DOMException(reason, 'AbortError'))
    },
    /** Resolves when no run is under way. */
    idle: (): Promise<void> => current?.ended ?? Promise.resolve(),
    /** Releases the idle job, so that another process of the deployment can take it. */
    release: (): Promise<void> => leases.release(leaseName),
    report: (): JobReport => ({
      id: job.id,
      plugin_id: pluginId,
      title: job.title,
      running: current !== undefined,
      ...counts,
      started_at: startedAt,
    }),
  }
}
