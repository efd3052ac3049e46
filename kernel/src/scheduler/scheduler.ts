import type { Disposer, Logger } from '@agent-service/sdk'
import { settlesWithin } from '@agent-service/sdk/async'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import { createOwnLeases } from '../leases/index.js'
import { duplicateJobError, jobInvalidError } from './errors.js'
import { jobProblemOf } from './job-problem.js'
import { createCalendarTimes, createIntervalTimes, type JobTimes } from './job-times.js'
import { createScheduledJob, type JobLeases, type JobReport, type ScheduledJob } from './scheduled-job.js'

/** Runs recurring work. */
export interface Scheduler {
  /**
   * Schedules a job. By interval: first after one, or at the next poll where that is sooner, then at its interval. By the calendar: at its times from now on.
   * Disposing takes it off, aborts a run that is under way, waits for its end, and lets another process of the deployment have the job.
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

/** Makes a scheduler. `leases` is asked before each run whether this process of the deployment is the one that runs the job. */
export function createScheduler(dependencies: {
  readonly clock: Clock
  readonly log: Logger
  /** `scheduler.poll_secs`. A due time wakes the scheduler before its poll. */
  readonly pollSeconds: number
  /** The zone of schedules that name none. Default UTC. */
  readonly timezone?: string
  readonly leases?: () => JobLeases
}): Scheduler {
  const { clock, log, pollSeconds, timezone = 'UTC', leases = createOwnLeases } = dependencies
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

  const timesOf = ({ everySeconds, schedule: calendar }: SchedulerJob): JobTimes => {
    if (calendar) return createCalendarTimes({ clock, schedule: calendar, timezone })
    const intervalMs = (everySeconds ?? pollSeconds) * 1000
    const firstDelayMs = Math.min(intervalMs, pollSeconds * 1000)
    return createIntervalTimes({ clock, intervalMs, firstDelayMs, retryMs: firstDelayMs })
  }

  return {
    add(job, { pluginId }) {
      const known = jobs.get(job.id)
      if (known) throw duplicateJobError.create({ id: job.id, owner: pluginId, other: known.report().plugin_id })
      const problem = jobProblemOf(job)
      if (problem !== undefined) throw jobInvalidError.create({ id: job.id, reason: problem })
      const scheduled = createScheduledJob({
        ...{ job, pluginId, clock, leases: leases() },
        times: timesOf(job),
        log: log.child({ plugin: pluginId, job: job.id }),
        onRetry: schedule,
      })
      jobs.set(job.id, scheduled)
      schedule()
      return async () => {
        if (jobs.get(job.id) === scheduled) jobs.delete(job.id)
        scheduled.abort('The job was taken off the schedule.')
        await scheduled.idle()
        await scheduled.release()
      }
    },
    report: () => [...jobs.values()].map((job) => job.report()).sort((a, b) => (a.id < b.id ? -1 : 1)),
    async drain(limitMs) {
      draining = true
      schedule()
      const all = [...jobs.values()]
      const idle = Promise.all(all.map((job) => job.idle()))
      if (await settlesWithin(idle, { limitMs, clock })) return
      for (const job of all) job.abort('The service is stopping.')
      if (!(await settlesWithin(idle, { limitMs: abortGraceMs, clock }))) {
        log.warn('Jobs are still running although they were told to stop.', {
          jobs: all.filter((job) => job.report().running).map((job) => job.report().id),
        })
      }
    },
  }
}
