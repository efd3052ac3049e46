import type { Logger } from '@agent-service/sdk'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import { jobTimeoutError } from './errors.js'

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
  report(): JobReport
}

const defaultTimeoutSeconds = 60

/** Puts a job on a schedule of its own. */
export function createScheduledJob(options: {
  readonly job: SchedulerJob
  readonly pluginId: string
  readonly firstDueAt: number
  readonly clock: Clock
  readonly log: Logger
  readonly mayRun: (jobId: string) => Promise<boolean>
}): ScheduledJob {
  const { job, pluginId, clock, log, mayRun } = options
  const timeoutSeconds = job.timeoutSeconds ?? defaultTimeoutSeconds
  const intervalMs = job.everySeconds * 1000
  let dueAt = options.firstDueAt
  let current: { readonly controller: AbortController; readonly ended: Promise<void> } | undefined
  let stopped = false
  let startedAt: string | null = null
  const counts = { runs: 0, failures: 0, skipped: 0 }

  const run = async (controller: AbortController): Promise<void> => {
    const { signal } = controller
    const stopTimer = clock.after(timeoutSeconds * 1000, () =>
      controller.abort(jobTimeoutError.create({ id: job.id, seconds: timeoutSeconds })),
    )
    try {
      if (!(await mayRun(job.id)) || signal.aborted) return
      startedAt = new Date(clock.now()).toISOString()
      counts.runs += 1
      await job.run({ signal })
      if (jobTimeoutError.isInstance(signal.reason)) throw signal.reason
    } catch (error) {
      if (stopped && signal.aborted) {
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
    dueAt: () => dueAt,
    start() {
      if (stopped) return
      // Counted from the time that was due, so that runs do not drift; times that have already passed are not made up for.
      const now = clock.monotonic()
      dueAt = dueAt + intervalMs > now ? dueAt + intervalMs : now + intervalMs
      if (current) {
        counts.skipped += 1
        log.warn('A job was passed over: its run before has not ended.', { running_since: startedAt })
        return
      }
      const controller = new AbortController()
      // Begins behind a turn, so that `current` is set whatever the job does first.
      current = { controller, ended: Promise.resolve().then(() => run(controller)) }
    },
    abort(reason) {
      stopped = true
      current?.controller.abort(new DOMException(reason, 'AbortError'))
    },
    idle: () => current?.ended ?? Promise.resolve(),
    report: () => ({ id: job.id, plugin_id: pluginId, title: job.title, running: current !== undefined, ...counts, started_at: startedAt }),
  }
}
