import type { Disposer, Logger } from '@agent-service/sdk'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import { duplicateJobError, jobInvalidError } from './errors.js'
import { createScheduledJob, type JobReport, type ScheduledJob } from './scheduled-job.js'

/** Runs recurring work. */
export interface Scheduler {
  /**
   * Schedules a job: first after one interval, or at the next poll where that is sooner, then at its interval. Disposing takes it off, aborts
   * a run that is under way and waits for its end.
   * @throws `duplicate_job` naming both owners, `job_invalid`.
   */
  add(job: SchedulerJob, owner: { readonly pluginId: string }): Disposer
  /** Every job and how it went, by id. */
  report(): readonly JobReport[]
  /** Starts no run any more; resolves when none is under way. After `limitMs` their signals are aborted, and after a second more it resolves anyway. */
  drain(limitMs: number): Promise<void>
}

/** How long an aborted run may take to notice. */
const abortGraceMs = 1_000
/** The longest delay that a timer can hold, in milliseconds. */
const longestDelayMs = 2 ** 31 - 1

/** Makes a scheduler. `mayRun` is asked before each run, for deployments where another process may be the one that runs jobs. */
export function createScheduler(dependencies: {
  readonly clock: Clock
  readonly log: Logger
  /** `scheduler.poll_secs`. A due time wakes the scheduler before its poll. */
  readonly pollSeconds: number
  readonly mayRun?: (jobId: string) => Promise<boolean>
}): Scheduler {
  const { clock, log, pollSeconds, mayRun = () => Promise.resolve(true) } = dependencies
  const jobs = new Map<string, ScheduledJob>()
  let draining = false
  let wakeAt = Number.POSITIVE_INFINITY
  let stopTimer: Disposer = () => undefined

  const runDue = (): void => {
    wakeAt = Number.POSITIVE_INFINITY
    for (const job of jobs.values()) {
      if (job.dueAt() <= clock.monotonic()) job.start()
    }
    schedule()
  }

  const schedule = (): void => {
    if (draining || jobs.size === 0) {
      void stopTimer()
      wakeAt = Number.POSITIVE_INFINITY
      return
    }
    const now = clock.monotonic()
    const earliest = [...jobs.values()].reduce((due, job) => Math.min(due, job.dueAt()), now + pollSeconds * 1000)
    if (earliest >= wakeAt) return
    void stopTimer()
    wakeAt = earliest
    stopTimer = clock.after(Math.min(longestDelayMs, Math.max(0, earliest - now)), runDue)
  }

  return {
    add(job, { pluginId }) {
      const known = jobs.get(job.id)
      if (known) throw duplicateJobError.create({ id: job.id, owner: pluginId, other: known.report().plugin_id })
      if (!(job.everySeconds >= 1))
        throw jobInvalidError.create({ id: job.id, reason: `everySeconds must be at least 1, is ${job.everySeconds}` })
      if (job.timeoutSeconds !== undefined && !(job.timeoutSeconds > 0)) {
        throw jobInvalidError.create({ id: job.id, reason: `timeoutSeconds must be above 0, is ${job.timeoutSeconds}` })
      }
      const firstDueAt = clock.monotonic() + Math.min(job.everySeconds, pollSeconds) * 1000
      const scheduled = createScheduledJob({ job, pluginId, firstDueAt, clock, log: log.child({ plugin: pluginId, job: job.id }), mayRun })
      jobs.set(job.id, scheduled)
      schedule()
      return async () => {
        if (jobs.get(job.id) === scheduled) jobs.delete(job.id)
        scheduled.abort('The job was taken off the schedule.')
        await scheduled.idle()
      }
    },
    report: () => [...jobs.values()].map((job) => job.report()).sort((a, b) => (a.id < b.id ? -1 : 1)),
    async drain(limitMs) {
      draining = true
      schedule()
      const all = [...jobs.values()]
      const idle = Promise.all(all.map((job) => job.idle()))
      if (await endsWithin(idle, limitMs, clock)) return
      for (const job of all) job.abort('The service is stopping.')
      if (!(await endsWithin(idle, abortGraceMs, clock))) {
        log.warn('Jobs are still running although they were told to stop.', {
          jobs: all.filter((job) => job.report().running).map((job) => job.report().id),
        })
      }
    },
  }
}

async function endsWithin(work: Promise<unknown>, limitMs: number, clock: Clock): Promise<boolean> {
  let stop: Disposer = () => undefined
  const limit = new Promise<false>((resolve) => {
    stop = clock.after(limitMs, () => resolve(false))
  })
  const ended = await Promise.race([work.then(() => true as const), limit])
  void stop()
  return ended
}
