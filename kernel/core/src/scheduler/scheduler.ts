import { type Disposer, defineError, type Logger } from '@agent-service/sdk'
import { settlesWithin } from '@agent-service/sdk/async'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import { checkSchedule } from '@agent-service/sdk/schedule'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import { type Configuration, configurationToken } from '../config/index.js'
import { leasesToken } from '../leases/index.js'
import { clockToken, loggerToken } from '../process/tokens.js'
import { createCalendarTimes, createIntervalTimes, type JobTimes } from './job-times.js'
import { createScheduledJob, type JobLeases, type JobReport, type ScheduledJob } from './scheduled-job.js'

export const duplicateJobError = defineError<{ readonly id: string; readonly owner: string; readonly other: string }>({
  code: 'duplicate_job',
  status: 500,
  title: 'Duplicate job',
  message: ({ id, owner, other }) => `The job “${id}” of ${owner} already exists: it belongs to ${other}. Rename one of them.`,
})

export const jobInvalidError = defineError<{ readonly id: string; readonly reason: string }>({
  code: 'job_invalid',
  status: 500,
  title: 'Job invalid',
  message: ({ id, reason }) => `The job “${id}” cannot be scheduled: ${reason}.`,
})

/** How long an aborted run may take to end. */
const abortGraceMs = 1_000
/** The longest delay that a timer can hold, in milliseconds. */
const maxDelayMs = 2 ** 31 - 1

export const schedulerToken: InjectionToken<Scheduler> = Symbol('scheduler')

/**
 * Runs recurring work. Before each run it takes a lease, so that one process of a deployment runs
 * the job.
 */
@injectable()
export class Scheduler {
  readonly #jobs = new Map<string, ScheduledJob>()
  /** `scheduler.poll_secs`. A due time wakes the scheduler before its poll. */
  readonly #pollMs: number
  readonly #timezone: string
  readonly #log: Logger
  #draining = false
  #wakeAt = Number.POSITIVE_INFINITY
  #stopTimer: Disposer = () => undefined

  constructor(
    @inject(clockToken) private readonly clock: Clock,
    @inject(loggerToken) log: Logger,
    @inject(configurationToken) { scheduler, timeZone }: Pick<Configuration, 'scheduler' | 'timeZone'>,
    @inject(leasesToken) private readonly leases: JobLeases,
  ) {
    this.#pollMs = scheduler.poll_secs * 1000
    this.#timezone = timeZone
    this.#log = log.child({ module: 'scheduler' })
  }

  /**
   * Schedules a job. By interval: first after one interval, or at the next poll if that is sooner,
   * then at its interval. By the calendar: at its times from now on. Disposing removes it, aborts a
   * run under way, waits for its end, and releases the job to other processes of the deployment.
   * @throws `duplicate_job` naming both owners, `job_invalid`.
   */
  add(job: SchedulerJob, { pluginId }: { readonly pluginId: string }): Disposer {
    const jobs = this.#jobs
    const known = jobs.get(job.id)
    if (known) throw duplicateJobError.create({ id: job.id, owner: pluginId, other: known.report().plugin_id })
    const problem = jobProblemOf(job)
    if (problem !== undefined) throw jobInvalidError.create({ id: job.id, reason: problem })
    const scheduled = createScheduledJob({
      ...{ job, pluginId, clock: this.clock, leases: this.leases },
      times: this.#timesOf(job),
      log: this.#log.child({ plugin: pluginId, job: job.id }),
      onRetry: () => this.#schedule(),
    })
    jobs.set(job.id, scheduled)
    this.#schedule()
    return async () => {
      if (jobs.get(job.id) === scheduled) jobs.delete(job.id)
      scheduled.abort('The job was removed from the schedule.')
      await scheduled.idle()
      await scheduled.release()
    }
  }

  /** Every job with its statistics, by id. */
  report(): readonly JobReport[] {
    return [...this.#jobs.values()].map((job) => job.report()).sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /**
   * Starts no more runs; resolves when none is under way. After `limitMs` their signals are
   * aborted, and a second later it resolves anyway.
   */
  async drain(limitMs: number): Promise<void> {
    this.#draining = true
    this.#schedule()
    const all = [...this.#jobs.values()]
    const idle = Promise.all(all.map((job) => job.idle()))
    if (await settlesWithin(idle, { limitMs, clock: this.clock })) return
    for (const job of all) job.abort('The service is stopping.')
    if (await settlesWithin(idle, { limitMs: abortGraceMs, clock: this.clock })) return
    const jobs = all.map((job) => job.report()).filter(({ running }) => running)
    this.#log.warn('Jobs are still running although they were aborted.', { jobs: jobs.map(({ id }) => id) })
  }

  #runDue(): void {
    this.#wakeAt = Number.POSITIVE_INFINITY
    for (const job of this.#jobs.values()) if (job.dueAt() <= this.clock.monotonic()) job.start()
    this.#schedule()
  }

  #schedule(): void {
    if (this.#draining || this.#jobs.size === 0) {
      void this.#stopTimer()
      this.#wakeAt = Number.POSITIVE_INFINITY
      return
    }
    const now = this.clock.monotonic()
    const earliest = [...this.#jobs.values()].reduce((due, job) => Math.min(due, job.dueAt()), now + this.#pollMs)
    if (earliest >= this.#wakeAt) return
    void this.#stopTimer()
    this.#wakeAt = earliest
    this.#stopTimer = this.clock.after(Math.min(maxDelayMs, Math.max(0, earliest - now)), () => this.#runDue())
  }

  #timesOf({ everySeconds, schedule }: SchedulerJob): JobTimes {
    if (schedule) return createCalendarTimes({ clock: this.clock, schedule, timezone: this.#timezone })
    const intervalMs = everySeconds === undefined ? this.#pollMs : everySeconds * 1000
    const firstDelayMs = Math.min(intervalMs, this.#pollMs)
    return createIntervalTimes({ clock: this.clock, intervalMs, firstDelayMs, retryMs: firstDelayMs })
  }
}

/** Why a job cannot be scheduled, and how to correct it; `undefined` if it can. */
function jobProblemOf(job: SchedulerJob): string | undefined {
  const { everySeconds, schedule, timeoutSeconds } = job
  if (everySeconds !== undefined && schedule !== undefined) return 'it has everySeconds and a schedule; remove one of them'
  if (everySeconds === undefined && schedule === undefined) return 'it needs everySeconds, or a schedule such as { cron: “0 3 * * *” }'
  if (everySeconds !== undefined && !(everySeconds >= 1)) return `everySeconds must be at least 1, but is ${everySeconds}`
  if (timeoutSeconds !== undefined && !(timeoutSeconds > 0)) return `timeoutSeconds must be above 0, but is ${timeoutSeconds}`
  if (schedule === undefined) return undefined
  const problems = checkSchedule(schedule)
  return problems.length === 0 ? undefined : problems.map(({ path, message }) => `schedule${path}: ${message}`).join('; ')
}
